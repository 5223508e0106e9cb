/**
 * What a case of bad input is. The cases are data: the tests run them, and docs/reference/bad-input.md is written from them.
 * In sentences N stands for a number, DIGEST for a SHA-256, RUN for a name of one run, FOLDER for the folder that the program works in, REQUEST for a request id.
 */
interface BadInput {
  readonly name: string
  /** What is wrong, for the reference page. */
  readonly wrong: string
}

/** A message that cannot be a row. */
export interface RowFaultCase extends BadInput {
  readonly kind: 'iot_reward_share' | 'mobile_reward_share' | 'reward_manifest' | 'iot_witness_ingest_report'
  readonly message: Buffer
  readonly reason: string
}

/** A record that cannot be a row, as a line of a file that has sound ones too. */
export interface RecordFaultCase extends BadInput {
  readonly kind: 'makers' | 'hotspots'
  readonly line: string | Buffer
  readonly reason: string
}

/** A file of which nothing is stored; `files` are several when one fault has many forms. */
export interface FileFaultCase extends BadInput {
  readonly files: Readonly<Record<string, Uint8Array>>
  readonly reason: string
}

/** A record of the archive that cannot be a row, in a file of its folder. */
export interface ArchiveRecordCase extends BadInput {
  readonly folder: 'rewards' | 'transactions' | 'gateway_inventory'
  readonly record: string
  readonly reason: string
}

/** An unusual file that is ingested. */
export interface AcceptedFileCase extends BadInput {
  readonly file: string
  readonly bytes: Uint8Array
  readonly rows: number
  /** Where they are stored, unless in iot_reward_shares. */
  readonly table?: string
}

/** A path below `in`, or one that is given beside it, that is no file to read. */
export interface PathCase extends BadInput {
  /** Makes it below a working folder that has a folder `in` and a folder `outside`. */
  prepare(folder: string): void | Promise<void>
  /** The path that fails. */
  readonly path: string
  /** Whether the path is given to the command rather than found below `in`. */
  readonly isGiven?: boolean
  readonly reason: string
}

/** A command in surroundings that do not let it work. The lake holds one file before. */
export interface SurroundingsCase extends BadInput {
  /** Changes a working folder that has a sound lake `lake`, a file to take in `new` and nothing else. */
  prepare(folder: string): void | Promise<void>
  readonly command: readonly string[]
  /** All that the program says on standard error after its name. */
  readonly sentence: string
  readonly exit: number
  /** Whether the program runs as a user to whom nothing belongs. */
  readonly asOther?: boolean
  /** Whether another user owns a file, which only root can arrange. */
  readonly isOfOther?: boolean
  /** The longest file that the program may write, in blocks of 512 bytes. */
  readonly fileBlocks?: number
  /** Size of a file system of its own for the working folder, which only root can make. */
  readonly fileSystemKb?: number
  /** Whether that file system is read-only once it is prepared. */
  readonly isReadOnly?: boolean
}

/** Damage to a lake: `status`, `serve` and `ingest` say the same sentence and end with 4. */
export interface DamageCase extends BadInput {
  prepare(folder: string): void
  readonly sentence: string
  /** Whether only writing is refused. */
  readonly isReadable?: boolean
}

/** Damage to a data file, which the log alone does not show: a request that needs it has no answer. */
export interface DataDamageCase extends BadInput {
  /** Damages a data file. */
  prepare(path: string): void
  /** What a caller of the server gets. */
  readonly sentence: string
}

/** A request that has no answer. */
export interface RequestCase extends BadInput {
  readonly method?: string
  /** Path and query, as they go over the wire. */
  readonly address: string
  readonly status: number
  readonly code: string
  /** The member `error` of the reply. */
  readonly sentence: string
}

const placeholders: Readonly<Record<string, string>> = {
  N: '\\d+',
  DIGEST: '[\\da-f]{64}',
  RUN: '[\\da-f-]+',
  REQUEST: '[\\da-f-]{36}',
}

/** An expression that matches a sentence and nothing else, whatever its placeholders stand for. */
export function matching(sentence: string, folder = ''): RegExp {
  const escaped = sentence.replace('FOLDER', folder).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const filled = escaped.replace(/\b(N|DIGEST|RUN|REQUEST)\b/g, (name) => placeholders[name] ?? name)
  return new RegExp(`^${filled}$`)
}
