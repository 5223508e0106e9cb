import { availableParallelism } from 'node:os'
import { fail, type ParamFault } from '../../base/errors.ts'
import { nearest } from '../../base/unknown-parameters.ts'
import { listenAddress, outsideAddress, trustedProxies } from './addresses.ts'
import { bucketSettings, isInBucket } from './bucket-settings.ts'
import { type ConfigFile, fromFolderOf } from './config-file.ts'
import { folder, logLevel, origins, path, type Reader, segment, service, sources, words } from './readers.ts'
import { secrets } from './secrets.ts'
import { numberSetting, onOff, setting } from './setting.ts'
import { trinoSettings } from './trino-settings.ts'

/** A setting for help and documentation. Names include units. */
export interface SettingRow {
  readonly name: SettingName
  readonly flag: string
  /** Empty for a flag without a value. */
  readonly placeholder: string
  readonly fallback: string
  readonly meaning: string
}

const rows = {
  config: {
    ...setting(path, 'FILE'),
    meaning: 'Settings file in JSON; empty: ledgerlake.json in the working folder, if it exists.',
  },
  lake: { ...setting(folder, 'DIR', 'data/lake'), meaning: 'Folder of the lake, or s3://BUCKET/FOLDER.' },
  ...bucketSettings,
  state: {
    ...setting(path, 'DIR'),
    meaning:
      'Folder of indexes, which are rebuilt if deleted, and of the progress of sync; empty: _state in the lake.',
  },
  host: { ...setting(words, 'HOST', '127.0.0.1'), meaning: 'Address to listen on.' },
  port: {
    ...numberSetting(0, 65_535, 'PORT', 8080),
    meaning: 'Port to listen on; 0 lets the system choose.',
  },
  open: onOff('Serve without keys on any address, also after the key file was lost.'),
  keys: {
    ...setting(path, 'FILE'),
    meaning:
      'File of API keys; empty: _keys/keys.ndjson in the lake. Once it has a key, every request needs one.',
  },
  public_url: {
    ...setting(outsideAddress, 'URL'),
    meaning:
      'Public address of the server, such as https://api.example.org/base, or its path alone; empty: the address of the request.',
  },
  trust_proxy: {
    ...setting(trustedProxies, 'ADDRESSES'),
    meaning:
      'Proxies whose X-Forwarded headers are trusted: addresses, networks, loopback, linklocal, uniquelocal; a number of proxies in front of the server; or true for all.',
  },
  tls_cert: {
    ...setting(path, 'FILE'),
    meaning: 'Certificate chain in PEM, to serve HTTPS; read again when it changes.',
  },
  tls_key: { ...setting(path, 'FILE'), meaning: 'Private key of the certificate, in PEM.' },
  metrics_listen: {
    ...setting(listenAddress, 'HOST:PORT'),
    meaning: 'Separate address for /metrics; empty: the address of the server.',
  },
  postgres: {
    ...setting(listenAddress, 'HOST:PORT'),
    meaning:
      'Address for clients of PostgreSQL, read-only, with keys that have the feature Sql; empty: none.',
  },
  lock_metrics: onOff('Answer /metrics only to API keys with the feature Metrics.'),
  open_sql: onOff(
    'Answer SQL at /sql, /mcp and --postgres on a server without keys. With keys, SQL needs the feature Sql.',
  ),
  share: onOff(
    'Share the tables by the Delta Sharing protocol at /delta-sharing, with keys that have the feature Share.',
  ),
  open_share: onOff('Share the tables on a server without keys.'),
  share_link_minutes: {
    ...numberSetting(1, 10_080, 'MIN', 60),
    meaning: 'Validity of the address of a shared file, in minutes.',
  },
  compat: {
    ...setting(service, 'SERVICE'),
    meaning: 'Imitate the API of a service: relay; empty: the specification.',
  },
  cors: {
    ...setting(origins, 'ORIGINS'),
    meaning: 'Origins whose pages may send requests, separated by commas, or *.',
  },
  access_log: onOff('Log every request as one JSON line on standard error, at level info.'),
  log_level: {
    ...setting(logLevel, 'LEVEL', 'info'),
    meaning: 'Lowest level of log lines on standard error: error, warn, info or debug.',
  },
  slow_request_ms: {
    ...numberSetting(0, 600_000, 'MS', 1000),
    meaning: 'Log requests that take at least this long, with their plan, as warnings; 0: none.',
  },
  workers: {
    ...numberSetting(1, 256, 'N', availableParallelism()),
    meaning: 'Number of server processes; they divide memory, threads and requests.',
  },
  most_requests: {
    ...numberSetting(1, 100_000, 'N', 256),
    meaning: 'Requests answered at once; more get 503.',
  },
  most_wait_ms: {
    ...numberSetting(1, 600_000, 'MS', 3000),
    meaning: 'Longest estimated wait of a request; longer ones get 503.',
  },
  network: {
    ...setting(segment, 'NAME', 'net'),
    meaning: 'Path segment that names the network: /v1/NAME/l2/...',
  },
  request_timeout_ms: {
    ...numberSetting(1, 600_000, 'MS', 30_000),
    meaning: 'Request timeout, in milliseconds.',
  },
  most_exports: {
    ...numberSetting(1, 1000, 'N', 4),
    meaning: 'Whole lists sent as files at the same time; more get 503.',
  },
  export_timeout_ms: {
    ...numberSetting(1, 86_400_000, 'MS', 3_600_000),
    meaning: 'Timeout of a whole list, in milliseconds.',
  },
  export_stall_ms: {
    ...numberSetting(1, 86_400_000, 'MS', 30_000),
    meaning: 'Time without progress after which a whole list is aborted, in ms.',
  },
  refresh_ms: {
    ...numberSetting(10, 60_000, 'MS', 500),
    meaning: 'Interval at which to look for commits, in ms.',
  },
  answer_memory_mb: {
    ...numberSetting(0, 1_000_000, 'MB', 64),
    meaning: 'Size of the reply cache; 0 turns it off.',
  },
  file_cache_mb: {
    ...numberSetting(0, 100_000_000, 'MB', 1024),
    meaning:
      'Disk cache of exported lists with as_of, which byte ranges need. A running export may use as much again. 0 disables ranges.',
  },
  block_memory_mb: {
    ...numberSetting(0, 1_000_000, 'MB', 256),
    meaning: 'Memory for recently read index blocks, for pages, lookups and filters.',
  },
  engine_memory_mb: {
    ...numberSetting(64, 1_000_000, 'MB', 1024),
    meaning: 'Memory for queries; more spills to disk.',
  },
  engine_spill_mb: {
    ...numberSetting(0, 100_000_000, 'MB', 10_000),
    meaning: 'Disk limit of queries that spill; a query that needs more fails.',
  },
  engine_threads: {
    ...numberSetting(1, 256, 'N', availableParallelism()),
    meaning: 'Threads of the engine.',
  },
  sql_processes: {
    ...numberSetting(0, 64, 'N', 0),
    meaning:
      'Statements of SQL that run at the same time, each in a process with its share of half of --engine-memory-mb; 0: one for every 256 MB of it and each engine thread, from 2 to 4.',
  },
  sql_when_idle: onOff(
    'Run statements of SQL only on cores that nothing else wants: requests keep their speed, and statements wait while the machine is busy.',
  ),
  engine_connections: { ...numberSetting(1, 64, 'N', 4), meaning: 'Queries that run at the same time.' },
  ingest_memory_mb: {
    ...numberSetting(64, 1_000_000, 'MB', 224),
    meaning: 'Memory for staged rows; more spills to disk.',
  },
  ingest_record_mb: {
    ...numberSetting(16, 1024, 'MB', 64),
    meaning: 'Longest record of the ledger archive; reading one takes twelve times its size of memory.',
  },
  scrub_hours: {
    ...numberSetting(0, 100_000, 'HOURS', 168),
    meaning: 'Age of a verification after which a server verifies an unchanged data file again; 0: never.',
  },
  scrub_mb_per_second: {
    ...numberSetting(1, 100_000, 'MB', 50),
    meaning: 'Read limit per second for verifying files that no request needs yet.',
  },
  cache_dir: {
    ...setting(path, 'DIR'),
    meaning:
      'Folder that the single executable unpacks its engine to; empty: ledgerlake in the cache folder of the user.',
  },
  ingest_commit_rows: {
    ...numberSetting(1, 100_000_000, 'N', 500_000),
    meaning: 'Rows per commit; files are not split.',
  },
  sync: {
    ...setting(sources, 'SOURCES'),
    meaning:
      'Sources to synchronize while serving, each with flags as after ledgerlake sync, separated by semicolons.',
  },
  ...trinoSettings,
}

export type SettingName = keyof typeof rows
type ValueOf<R> = R extends { readonly reader: Reader<infer T> } ? T : never
export type Settings = { readonly [N in SettingName]: ValueOf<(typeof rows)[N]> }

const isSettingName = (name: string): name is SettingName => Object.hasOwn(rows, name)

const names = Object.keys(rows).filter(isSettingName)

export const settingRows: readonly SettingRow[] = names.map((name) => ({
  ...{ ...rows[name], name, flag: `--${name.replaceAll('_', '-')}` },
}))

const PREFIX = 'LEDGERLAKE_'

export function environmentName(name: string): string {
  return PREFIX + name.toUpperCase()
}

/** A setting with its value and source: its flag, its environment variable, a file, or `default`. */
export interface SettingInForce {
  readonly name: SettingName
  readonly text: string
  readonly from: string
  readonly value: unknown
}

/** Returns a secret from the environment; empty if it is not set. */
export function secretOf(name: (typeof secrets)[number], environment: Environment = process.env): string {
  return environment[environmentName(name)] ?? ''
}

type Environment = Readonly<Record<string, string | undefined>>
type Flags = Readonly<Partial<Record<SettingName, string>>>

/**
 * Resolves all settings: flags override the environment, the environment overrides the file, the file overrides
 * defaults.
 * Errors: `malformed_request` that lists all problems at once, including unknown names.
 */
export function settingsInForce(
  environment: Environment,
  flags: Flags,
  file?: ConfigFile,
): readonly SettingInForce[] {
  const faults = [...unknownVariables(environment), ...unknownInFile(file), ...(file?.faults ?? [])]
  const inForce = settingRows.map(({ name, flag, fallback }): SettingInForce => {
    const { reader } = rows[name]
    const variable = environmentName(name)
    const sources = [
      { text: flags[name], from: flag, param: flag },
      { text: environment[variable], from: variable, param: variable },
      { text: textIn(file, name), from: file?.path ?? '', param: `${name} in ${file?.path}` },
    ]
    const given = sources.find((source) => source.text !== undefined)
    const { text = fallback, from, param } = given ?? { from: 'default', param: name }
    const value = reader.read(text)
    if (value === undefined)
      faults.push({ param, message: `${param} is ${JSON.stringify(text)}; ${reader.advice}` })
    return { name, text, from, value }
  })
  if (faults.length > 0) {
    fail('malformed_request', faults.map((fault) => fault.message).join('\n'), { faults })
  }
  return inForce
}

/** Returns the values of all settings. Errors: see `settingsInForce`. */
export function readSettings(environment: Environment, flags: Flags, file?: ConfigFile): Settings {
  const values = settingsInForce(environment, flags, file).map(({ name, value }) => [name, value])
  return Object.freeze(Object.fromEntries(values)) as Settings
}

function textIn(file: ConfigFile | undefined, name: SettingName): string | undefined {
  const text = file?.texts.get(name)
  const isPath = pathReaders.includes(rows[name].reader)
  return file !== undefined && text !== undefined && isPath && !isInBucket(text)
    ? fromFolderOf(file.path, text)
    : text
}

const pathReaders: readonly Reader<unknown>[] = [path, folder]

function unknownVariables(environment: Environment): ParamFault[] {
  const variables = [...names, ...secrets].map(environmentName)
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !variables.includes(name))
    .map((param) => unknown(param, param, environmentName))
}

/** Returns unknown names in a file, which include `config`: a file cannot name another file. */
function unknownInFile(file: ConfigFile | undefined): ParamFault[] {
  const given = [...(file?.texts.keys() ?? [])]
  return given
    .filter((given) => given === 'config' || !isSettingName(given))
    .map((name) => unknown(name, `${name} in ${file?.path}`, (meant) => meant))
}

function unknown(given: string, param: string, write: (name: string) => string): ParamFault {
  if (secrets.some((name) => name === given))
    return { param, message: `${param} is a secret; set ${environmentName(given)} in the environment` }
  const bare = given.replace(/^LEDGERLAKE_/i, '').replaceAll('-', '_')
  const meant = nearest(
    bare,
    names.filter((name) => name !== 'config' || param.startsWith(PREFIX)),
  )
  const hint = meant ? `did you mean ${write(meant)}?` : 'ledgerlake config lists the settings'
  return { param, message: `Unknown setting ${param}; ${hint}` }
}
