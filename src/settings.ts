import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { fail, type ParamFault } from './errors.ts'

/** Every setting once. Units stand in the names. */
export interface SettingRow {
  readonly name: string
  readonly flag: string
  readonly placeholder: string
  readonly schema: z.ZodType
  readonly fallback: string
  readonly meaning: string
}

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from ${least} to ${most} is accepted`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `a whole number from ${least} to ${most} is accepted`)

/** The engine would read a leading ~ in another way than the file system does. */
const asItStands = (text: string) => (text.startsWith('~') ? resolve(text) : text)
const folder = z.string().min(1, 'a text that is not empty is accepted').transform(asItStands)
const words = z.string().min(1, 'a text that is not empty is accepted')
const yesOrNo = z.enum(['true', 'false'], 'true or false is accepted').transform((text) => text === 'true')

const ORIGIN = /^https?:\/\/[\w.-]+(:\d{1,5})?$|^https?:\/\/\[[\da-f:]+\](:\d{1,5})?$/i

/** `*`, or origins as browsers send them: scheme, host and port, without a path. */
const origins = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  )
  .refine(
    (list) => list.every((origin) => ORIGIN.test(origin)) || (list.length === 1 && list[0] === '*'),
    '* or origins such as https://example.org, separated by commas, are accepted',
  )

const rows = {
  lake: {
    flag: '--lake',
    placeholder: 'DIR',
    schema: folder,
    fallback: 'data/lake',
    meaning: 'Folder of the lake.',
  },
  state: {
    flag: '--state',
    placeholder: 'DIR',
    schema: z.string().transform(asItStands),
    fallback: '',
    meaning: 'Folder of derived structures, which may be deleted at any time; empty: _state in the lake.',
  },
  host: {
    flag: '--host',
    placeholder: 'HOST',
    schema: words,
    fallback: '127.0.0.1',
    meaning: 'Address to listen on.',
  },
  port: {
    flag: '--port',
    placeholder: 'PORT',
    schema: wholeNumber(0, 65_535),
    fallback: '8080',
    meaning: 'Port to listen on; 0 lets the system choose.',
  },
  open: {
    flag: '--open',
    placeholder: '',
    schema: yesOrNo,
    fallback: 'false',
    meaning:
      'Answer everyone where there are no keys: on addresses other than loopback, and after the key file was lost.',
  },
  keys: {
    flag: '--keys',
    placeholder: 'FILE',
    schema: z.string().transform(asItStands),
    fallback: '',
    meaning:
      'File of API keys; empty: _keys/keys.ndjson in the lake. As soon as it has one, requests need one.',
  },
  compat: {
    flag: '--compat',
    placeholder: 'SERVICE',
    schema: z.enum(['', 'relay'], 'relay or nothing is accepted'),
    fallback: '',
    meaning:
      'Dialect of an existing service that its clients rely on: relay; empty: the specification alone.',
  },
  cors: {
    flag: '--cors',
    placeholder: 'ORIGINS',
    schema: origins,
    fallback: '',
    meaning: 'Origins whose pages may ask, separated by commas, or *; empty: none but the server itself.',
  },
  access_log: {
    flag: '--access-log',
    placeholder: '',
    schema: yesOrNo,
    fallback: 'false',
    meaning: 'Write one JSON line on standard error for every request answered.',
  },
  most_requests: {
    flag: '--most-requests',
    placeholder: 'N',
    schema: wholeNumber(1, 100_000),
    fallback: '256',
    meaning: 'Requests that may be under way at once; further ones get 503.',
  },
  network: {
    flag: '--network',
    placeholder: 'NAME',
    schema: z.string().regex(/^[a-z\d-]+$/, 'lower-case letters, digits and hyphens are accepted'),
    fallback: 'net',
    meaning: 'Path segment that names the network: /v1/NAME/l2/...',
  },
  request_timeout_ms: {
    flag: '--request-timeout-ms',
    placeholder: 'MS',
    schema: wholeNumber(1, 600_000),
    fallback: '30000',
    meaning: 'Time after which an answer is given up, in milliseconds.',
  },
  most_exports: {
    flag: '--most-exports',
    placeholder: 'N',
    schema: wholeNumber(1, 1000),
    fallback: '4',
    meaning: 'Whole lists that may be sent as files at once, beside other requests; further ones get 503.',
  },
  export_timeout_ms: {
    flag: '--export-timeout-ms',
    placeholder: 'MS',
    schema: wholeNumber(1, 86_400_000),
    fallback: '3600000',
    meaning: 'Time after which sending a whole list is given up, in milliseconds.',
  },
  export_stall_ms: {
    flag: '--export-stall-ms',
    placeholder: 'MS',
    schema: wholeNumber(1, 86_400_000),
    fallback: '30000',
    meaning: 'Time without a byte taken after which sending a whole list is given up, in milliseconds.',
  },
  refresh_ms: {
    flag: '--refresh-ms',
    placeholder: 'MS',
    schema: wholeNumber(10, 60_000),
    fallback: '500',
    meaning: 'How often a served lake is looked at for new commits, in milliseconds.',
  },
  answer_memory_mb: {
    flag: '--answer-memory-mb',
    placeholder: 'MB',
    schema: wholeNumber(0, 1_000_000),
    fallback: '64',
    meaning: 'Memory for answers that are given again without being looked up; 0 remembers none.',
  },
  engine_memory_mb: {
    flag: '--engine-memory-mb',
    placeholder: 'MB',
    schema: wholeNumber(64, 1_000_000),
    fallback: '1024',
    meaning: 'Memory that queries may use before they spill to disk, in megabytes.',
  },
  engine_threads: {
    flag: '--engine-threads',
    placeholder: 'N',
    schema: wholeNumber(1, 256),
    fallback: String(availableParallelism()),
    meaning: 'Threads of the engine; the default is one per core.',
  },
  engine_connections: {
    flag: '--engine-connections',
    placeholder: 'N',
    schema: wholeNumber(1, 64),
    fallback: '4',
    meaning: 'Queries that run at the same time.',
  },
  ingest_memory_mb: {
    flag: '--ingest-memory-mb',
    placeholder: 'MB',
    schema: wholeNumber(64, 1_000_000),
    fallback: '224',
    meaning: 'Memory that staged rows may use before they spill to disk, in megabytes.',
  },
  ingest_commit_rows: {
    flag: '--ingest-commit-rows',
    placeholder: 'N',
    schema: wholeNumber(1, 100_000_000),
    fallback: '1000000',
    meaning: 'Rows that are gathered before they are committed; a file is never split over commits.',
  },
} as const satisfies Record<string, Omit<SettingRow, 'name'>>

export type SettingName = keyof typeof rows
export type Settings = { readonly [N in SettingName]: z.output<(typeof rows)[N]['schema']> }

export const settingRows: readonly SettingRow[] = Object.entries(rows).map(([name, row]) => ({
  name,
  ...row,
}))

export function environmentName(name: string): string {
  return `LEDGERLAKE_${name.toUpperCase()}`
}

/**
 * Flags win over the environment, the environment over defaults.
 * Errors: `malformed_request` that lists every problem at once, unknown LEDGERLAKE_ variables included.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<SettingName, string>>>,
): Settings {
  const faults: ParamFault[] = unknownVariables(environment)
  const settings: Record<string, unknown> = {}
  for (const { name, flag, schema, fallback } of settingRows) {
    const fromFlag = flags[name as SettingName]
    const text = fromFlag ?? environment[environmentName(name)] ?? fallback
    const parsed = schema.safeParse(text)
    if (parsed.success) settings[name] = parsed.data
    else {
      const param = fromFlag === undefined ? environmentName(name) : flag
      faults.push({
        param,
        message: `${param} is ${JSON.stringify(text)}; ${parsed.error.issues[0]?.message}`,
      })
    }
  }
  if (faults.length > 0) {
    fail('malformed_request', faults.map((fault) => fault.message).join('\n'), { faults })
  }
  return Object.freeze(settings) as Settings
}

function unknownVariables(environment: Readonly<Record<string, string | undefined>>): ParamFault[] {
  const known = new Set(settingRows.map((row) => environmentName(row.name)))
  return Object.keys(environment)
    .filter((name) => name.startsWith('LEDGERLAKE_') && !known.has(name))
    .map((param) => ({ param, message: `${param} is no setting; ${[...known].join(', ')} are` }))
}
