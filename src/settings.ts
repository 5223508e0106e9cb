import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { nearest } from './derive/unknown-parameters.ts'
import { fail, type ParamFault } from './errors.ts'

/** Reads the text of a setting; undefined for a text that `advice` says how to mend. */
interface Reader<T> {
  readonly advice: string
  read(text: string): T | undefined
}

/** Every setting once. Units stand in the names. */
export interface SettingRow {
  readonly name: SettingName
  readonly flag: string
  /** Empty for a flag without a value. */
  readonly placeholder: string
  readonly fallback: string
  readonly meaning: string
}

const whole = (least: number, most: number): Reader<number> => ({
  advice: `use a whole number from ${least} to ${most}`,
  read: (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
    return value >= least && value <= most ? value : undefined
  },
})

const words: Reader<string> = { advice: 'it must not be empty', read: (text) => text || undefined }

/** A path, which the engine would read in another way than the file system does if it began with ~. */
const path: Reader<string> = { advice: '', read: (text) => (text.startsWith('~') ? resolve(text) : text) }
const folder: Reader<string> = { ...words, read: (text) => path.read(text) || undefined }

const yesOrNo: Reader<boolean> = {
  advice: 'use true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

const service: Reader<'' | 'relay'> = {
  advice: 'use relay, or leave it empty',
  read: (text) => (text === '' || text === 'relay' ? text : undefined),
}

const segment: Reader<string> = {
  advice: 'use lower-case letters, digits and hyphens',
  read: (text) => (/^[a-z\d-]+$/.test(text) ? text : undefined),
}

const ORIGIN = /^https?:\/\/[\w.-]+(:\d{1,5})?$|^https?:\/\/\[[\da-f:]+\](:\d{1,5})?$/i

/** `*`, or origins as browsers send them: scheme, host and port, without a path. */
const origins: Reader<readonly string[]> = {
  advice: 'use * or origins such as https://example.org, separated by commas',
  read: (text) => {
    const list = text.split(',').map((origin) => origin.trim())
    const given = list.filter((origin) => origin !== '')
    const isAny = given.length === 1 && given[0] === '*'
    return isAny || given.every((origin) => ORIGIN.test(origin)) ? given : undefined
  },
}

const setting = <T>(reader: Reader<T>, placeholder: string, fallback: string, meaning: string) => ({
  reader,
  placeholder,
  fallback,
  meaning,
})

const rows = {
  lake: setting(folder, 'DIR', 'data/lake', 'Folder of the lake.'),
  state: setting(path, 'DIR', '', 'Folder of indexes, safe to delete; empty: _state in the lake.'),
  host: setting(words, 'HOST', '127.0.0.1', 'Address to listen on.'),
  port: setting(whole(0, 65_535), 'PORT', '8080', 'Port to listen on; 0 lets the system choose.'),
  open: setting(yesOrNo, '', 'false', 'Serve without keys: on any address, and after a key file was lost.'),
  keys: setting(
    path,
    'FILE',
    '',
    'File of API keys; empty: _keys/keys.ndjson in the lake. Once it has a key, every request needs one.',
  ),
  compat: setting(service, 'SERVICE', '', 'Imitate the API of a service: relay; empty: as specified.'),
  cors: setting(origins, 'ORIGINS', '', 'Origins whose pages may send requests, separated by commas, or *.'),
  access_log: setting(yesOrNo, '', 'false', 'Log every request as one JSON line on standard error.'),
  most_requests: setting(whole(1, 100_000), 'N', '256', 'Requests answered at once; more get 503.'),
  network: setting(segment, 'NAME', 'net', 'Path segment that names the network: /v1/NAME/l2/...'),
  request_timeout_ms: setting(whole(1, 600_000), 'MS', '30000', 'Request timeout, in milliseconds.'),
  most_exports: setting(whole(1, 1000), 'N', '4', 'Whole lists sent as files at once; more get 503.'),
  export_timeout_ms: setting(
    whole(1, 86_400_000),
    'MS',
    '3600000',
    'Timeout of a whole list, in milliseconds.',
  ),
  export_stall_ms: setting(
    whole(1, 86_400_000),
    'MS',
    '30000',
    'Time without a byte taken that ends a whole list, in ms.',
  ),
  refresh_ms: setting(whole(10, 60_000), 'MS', '500', 'How often to look for commits, in ms.'),
  answer_memory_mb: setting(whole(0, 1_000_000), 'MB', '64', 'Size of the reply cache; 0 turns it off.'),
  engine_memory_mb: setting(whole(64, 1_000_000), 'MB', '1024', 'Memory for queries; more spills to disk.'),
  engine_threads: setting(whole(1, 256), 'N', String(availableParallelism()), 'Threads of the engine.'),
  engine_connections: setting(whole(1, 64), 'N', '4', 'Queries that run at the same time.'),
  ingest_memory_mb: setting(whole(64, 1_000_000), 'MB', '224', 'Memory of staged rows; more spills to disk.'),
  cache_dir: setting(
    path,
    'DIR',
    '',
    'Folder that the single executable unpacks its engine to; empty: ledgerlake in the cache folder of the user.',
  ),
  ingest_commit_rows: setting(whole(1, 100_000_000), 'N', '1000000', 'Rows per commit; files are not split.'),
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

/**
 * Flags win over the environment, the environment over defaults.
 * Errors: `malformed_request` that lists every problem at once, unknown LEDGERLAKE_ variables included.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<SettingName, string>>>,
): Settings {
  const faults = unknownVariables(environment)
  const settings: Record<string, unknown> = {}
  for (const { name, flag, fallback } of settingRows) {
    const { reader } = rows[name]
    const fromFlag = flags[name]
    const text = fromFlag ?? environment[environmentName(name)] ?? fallback
    const param = fromFlag === undefined ? environmentName(name) : flag
    settings[name] = reader.read(text)
    if (settings[name] !== undefined) continue
    faults.push({ param, message: `${param} is ${JSON.stringify(text)}; ${reader.advice}` })
  }
  if (faults.length > 0) {
    fail('malformed_request', faults.map((fault) => fault.message).join('\n'), { faults })
  }
  return Object.freeze(settings) as Settings
}

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): ParamFault[] {
  const known = settingRows.map((row) => environmentName(row.name))
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .map((param) => {
      const meant = nearest(
        param.slice(PREFIX.length),
        settingRows.map(({ name }) => name),
      )
      const hint = meant ? `did you mean ${environmentName(meant)}?` : `the settings are ${known.join(', ')}`
      return { param, message: `Unknown setting ${param}; ${hint}` }
    })
}
