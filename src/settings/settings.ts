import { availableParallelism } from 'node:os'
import { fail, type ParamFault } from '../base/errors.ts'
import { nearest } from '../base/unknown-parameters.ts'
import { listenAddress, outsideAddress, trustedProxies } from './addresses.ts'
import { bucketSettings, isInBucket } from './bucket-settings.ts'
import { type ConfigFile, fromFolderOf } from './config-file.ts'
import {
  folder,
  logLevel,
  origins,
  path,
  type Reader,
  segment,
  service,
  wholeNumberIn,
  words,
  yesOrNo,
} from './readers.ts'
import { secrets } from './secrets.ts'
import { setting } from './setting.ts'
import { syncSettings } from './sync-settings.ts'
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
  config: setting(
    path,
    'FILE',
    '',
    'Settings file in JSON; empty: ledgerlake.json in the working folder, if it exists.',
  ),
  lake: setting(folder, 'DIR', 'data/lake', 'Folder of the lake, or s3://BUCKET/FOLDER.'),
  ...bucketSettings,
  state: setting(
    path,
    'DIR',
    '',
    'Folder of indexes, which are rebuilt if deleted, and of the progress of sync; empty: _state in the lake.',
  ),
  host: setting(words, 'HOST', '127.0.0.1', 'Address to listen on.'),
  port: setting(wholeNumberIn(0, 65_535), 'PORT', '8080', 'Port to listen on; 0 lets the system choose.'),
  open: setting(yesOrNo, '', 'false', 'Serve without keys on any address, also after the key file was lost.'),
  keys: setting(
    path,
    'FILE',
    '',
    'File of API keys; empty: _keys/keys.ndjson in the lake. Once it has a key, every request needs one.',
  ),
  public_url: setting(
    outsideAddress,
    'URL',
    '',
    'Public address of the server, such as https://api.example.org/base, or its path alone; empty: the address of the request.',
  ),
  trust_proxy: setting(
    trustedProxies,
    'ADDRESSES',
    '',
    'Proxies whose X-Forwarded headers are trusted: addresses, networks, loopback, linklocal, uniquelocal; a number of proxies in front of the server; or true for all.',
  ),
  tls_cert: setting(
    path,
    'FILE',
    '',
    'Certificate chain in PEM, to serve HTTPS; read again when it changes.',
  ),
  tls_key: setting(path, 'FILE', '', 'Private key of the certificate, in PEM.'),
  metrics_listen: setting(
    listenAddress,
    'HOST:PORT',
    '',
    'Separate address for /metrics; empty: the address of the server.',
  ),
  lock_metrics: setting(yesOrNo, '', 'false', 'Answer /metrics only to API keys with the feature Metrics.'),
  open_sql: setting(
    yesOrNo,
    '',
    'false',
    'Answer SQL at /mcp on a server without keys. With keys, SQL needs the feature Sql.',
  ),
  share: setting(
    yesOrNo,
    '',
    'false',
    'Share the tables by the Delta Sharing protocol at /delta-sharing, with keys that have the feature Share.',
  ),
  open_share: setting(yesOrNo, '', 'false', 'Share the tables on a server without keys.'),
  share_link_minutes: setting(
    wholeNumberIn(1, 10_080),
    'MIN',
    '60',
    'Validity of the address of a shared file, in minutes.',
  ),
  compat: setting(service, 'SERVICE', '', 'Imitate the API of a service: relay; empty: the specification.'),
  cors: setting(origins, 'ORIGINS', '', 'Origins whose pages may send requests, separated by commas, or *.'),
  access_log: setting(
    yesOrNo,
    '',
    'false',
    'Log every request as one JSON line on standard error, at level info.',
  ),
  log_level: setting(
    logLevel,
    'LEVEL',
    'info',
    'Lowest level of log lines on standard error: error, warn, info or debug.',
  ),
  slow_request_ms: setting(
    wholeNumberIn(0, 600_000),
    'MS',
    '1000',
    'Log requests that take at least this long, with their plan, as warnings; 0: none.',
  ),
  workers: setting(
    wholeNumberIn(1, 256),
    'N',
    String(availableParallelism()),
    'Number of server processes; they divide memory, threads and requests.',
  ),
  most_requests: setting(wholeNumberIn(1, 100_000), 'N', '256', 'Requests answered at once; more get 503.'),
  most_wait_ms: setting(
    wholeNumberIn(1, 600_000),
    'MS',
    '3000',
    'Longest estimated wait of a request; longer ones get 503.',
  ),
  network: setting(segment, 'NAME', 'net', 'Path segment that names the network: /v1/NAME/l2/...'),
  request_timeout_ms: setting(wholeNumberIn(1, 600_000), 'MS', '30000', 'Request timeout, in milliseconds.'),
  most_exports: setting(
    wholeNumberIn(1, 1000),
    'N',
    '4',
    'Whole lists sent as files at the same time; more get 503.',
  ),
  export_timeout_ms: setting(
    wholeNumberIn(1, 86_400_000),
    'MS',
    '3600000',
    'Timeout of a whole list, in milliseconds.',
  ),
  export_stall_ms: setting(
    wholeNumberIn(1, 86_400_000),
    'MS',
    '30000',
    'Time without progress after which a whole list is aborted, in ms.',
  ),
  refresh_ms: setting(
    wholeNumberIn(10, 60_000),
    'MS',
    '500',
    'Interval at which to look for commits, in ms.',
  ),
  answer_memory_mb: setting(
    wholeNumberIn(0, 1_000_000),
    'MB',
    '64',
    'Size of the reply cache; 0 turns it off.',
  ),
  file_cache_mb: setting(
    wholeNumberIn(0, 100_000_000),
    'MB',
    '1024',
    'Disk cache of exported lists with as_of, which byte ranges need. A running export may use as much again. 0 disables ranges.',
  ),
  block_memory_mb: setting(
    wholeNumberIn(0, 1_000_000),
    'MB',
    '256',
    'Memory for recently read index blocks, for pages, lookups and filters.',
  ),
  engine_memory_mb: setting(
    wholeNumberIn(64, 1_000_000),
    'MB',
    '1024',
    'Memory for queries; more spills to disk.',
  ),
  engine_spill_mb: setting(
    wholeNumberIn(0, 100_000_000),
    'MB',
    '10000',
    'Disk limit of queries that spill; a query that needs more fails.',
  ),
  engine_threads: setting(
    wholeNumberIn(1, 256),
    'N',
    String(availableParallelism()),
    'Threads of the engine.',
  ),
  engine_connections: setting(wholeNumberIn(1, 64), 'N', '4', 'Queries that run at the same time.'),
  ingest_memory_mb: setting(
    wholeNumberIn(64, 1_000_000),
    'MB',
    '224',
    'Memory for staged rows; more spills to disk.',
  ),
  ingest_record_mb: setting(
    wholeNumberIn(16, 1024),
    'MB',
    '64',
    'Longest record of the ledger archive; reading one takes twelve times its size of memory.',
  ),
  scrub_hours: setting(
    wholeNumberIn(0, 100_000),
    'HOURS',
    '168',
    'Age of a verification after which a server verifies an unchanged data file again; 0: never.',
  ),
  scrub_mb_per_second: setting(
    wholeNumberIn(1, 100_000),
    'MB',
    '50',
    'Read limit per second for verifying files that no request needs yet.',
  ),
  cache_dir: setting(
    path,
    'DIR',
    '',
    'Folder that the single executable unpacks its engine to; empty: ledgerlake in the cache folder of the user.',
  ),
  ingest_commit_rows: setting(
    wholeNumberIn(1, 100_000_000),
    'N',
    '500000',
    'Rows per commit; files are not split.',
  ),
  ...syncSettings,
  ...trinoSettings,
}

export type SettingName = keyof typeof rows
type ValueOf<R> = R extends { readonly reader: Reader<infer T> } ? T : never
export type Settings = { readonly [N in SettingName]: ValueOf<(typeof rows)[N]> }

export const settingRows: readonly SettingRow[] = Object.entries(rows).map(([name, row]) => ({
  ...row,
  name: name as SettingName,
  flag: `--${name.replaceAll('_', '-')}`,
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
    const {
      text = fallback,
      from,
      param,
    } = sources.find((source) => source.text !== undefined) ?? {
      from: 'default',
      param: name,
    }
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
const names = settingRows.map(({ name }) => name)

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
    .filter((given) => given === 'config' || !names.some((name) => name === given))
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
