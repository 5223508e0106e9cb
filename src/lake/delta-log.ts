import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir, readFile } from 'node:fs/promises'
import type { Resource } from '../catalog/resource.ts'
import { deltaSchema, partitionColumns } from '../derive/delta-schema.ts'
import { fail, ServiceError, systemWordsOf } from '../errors.ts'
import { createIfAbsent, errorCodeOf } from './disk.ts'
import { logEntryPath, logFolder, runFolder, tableFolder } from './layout.ts'

/** The part of the Delta protocol that is written and read here: reader version 1, writer version 2. */

export interface AddAction {
  readonly path: string
  readonly partitionValues: Readonly<Record<string, string>>
  readonly size: number
  readonly modificationTime: number
  readonly dataChange: boolean
  /** JSON text; its numbers are bare and may pass 2^53. */
  readonly stats?: string
  readonly tags?: Readonly<Record<string, string>>
}

interface RemoveAction {
  readonly path: string
  readonly deletionTimestamp: number
  readonly dataChange: boolean
  readonly extendedFileMetadata?: boolean
  readonly partitionValues?: Readonly<Record<string, string>>
  readonly size?: number
}

interface CommitInfo {
  readonly timestamp: number
  readonly operation: string
  readonly engineInfo: string
  readonly runId: string
  /** SHA-256 of the whole entry with this value as 64 zeros. */
  readonly digest: string
}

type MetaData = Readonly<Record<string, unknown>>

interface Protocol {
  readonly minReaderVersion: number
  readonly minWriterVersion: number
}

export type Action =
  | { readonly commitInfo: CommitInfo }
  | { readonly protocol: Protocol }
  | { readonly metaData: MetaData }
  | { readonly add: AddAction }
  | { readonly remove: RemoveAction }

/** A table at one version: the files that are live, by path. */
export interface TableLog {
  readonly version: number
  readonly live: ReadonlyMap<string, AddAction>
  readonly committedAt: number
  /** Digest of the newest entry: a log in which it differs is another table under the same name. */
  readonly entryDigest: string
  readonly protocol: Protocol | undefined
  readonly metaData: MetaData | undefined
  /** The entry that asks for a newer writer than this program; undefined when it may write. */
  readonly writerRefusal: string | undefined
}

const nothingYet = { protocol: undefined, metaData: undefined, writerRefusal: undefined }

const READER_VERSION = 1
const WRITER_VERSION = 2
const ENGINE = 'ledgerlake'
const NO_DIGEST = '0'.repeat(64)
const DIGEST = /"digest":"([0-9a-f]{64})"/

/**
 * Reads a table up to `version`, or to its newest; `from` is an earlier state to go on from.
 * Undefined when there is no such table or version. Errors: `lake_damaged`.
 */
export async function readTableLog(
  table: string,
  options: { from?: TableLog | undefined; version?: number; signal?: AbortSignal | undefined } = {},
): Promise<TableLog | undefined> {
  let log = await unlessReplaced(table, options.from)
  const live = new Map(log?.live)
  let version = (log?.version ?? -1) + 1
  for (; version <= (options.version ?? Number.POSITIVE_INFINITY); version += 1) {
    options.signal?.throwIfAborted()
    const text = await readEntry(table, version)
    if (text === undefined) break
    const state = applyEntry(live, text, logEntryPath(table, version))
    log = { ...nothingYet, ...log, version, live, entryDigest: digestOf(text), ...state }
  }
  if (options.version === undefined || log?.version !== options.version) await refuseGap(table, version)
  return options.version !== undefined && log?.version !== options.version ? undefined : log
}

/** What a version says of itself; undefined when there is no such version. Errors: `lake_damaged`. */
export async function readCommit(
  table: string,
  version: number,
): Promise<Pick<TableLog, 'committedAt' | 'entryDigest'> | undefined> {
  const text = await readEntry(table, version)
  if (text === undefined) return undefined
  const { committedAt } = applyEntry(new Map(), text, logEntryPath(table, version))
  return { committedAt, entryDigest: digestOf(text) }
}

/**
 * The data files that the log names at any version, and when each was removed last, in milliseconds since 1970; infinity
 * for those that are live, or of which the log does not tell when they went.
 * Errors: `lake_damaged`, also when the table has no folder for its log.
 */
export async function readNamedPaths(table: string): Promise<ReadonlyMap<string, number>> {
  await access(logFolder(table)).catch((cause) =>
    fail('lake_damaged', `${logFolder(table)} cannot be read; restore it from a copy.`, { cause }),
  )
  const named = new Map<string, number>()
  let version = 0
  for (; ; version += 1) {
    const text = await readEntry(table, version)
    if (text === undefined) break
    const gone = new Set<string>()
    const noted = {
      set(path: string) {
        named.set(path, Number.POSITIVE_INFINITY)
        gone.delete(path)
      },
      delete: (path: string) => gone.add(path),
    }
    const { committedAt } = applyEntry(noted, text, logEntryPath(table, version))
    for (const path of gone) named.set(path, committedAt > 0 ? committedAt : Number.POSITIVE_INFINITY)
  }
  await refuseGap(table, version)
  return named
}

async function unlessReplaced(table: string, from: TableLog | undefined): Promise<TableLog | undefined> {
  const text = from === undefined ? undefined : await readEntry(table, from.version)
  return text !== undefined && digestOf(text) === from?.entryDigest ? from : undefined
}

/** Opening a pipe would wait for ever for somebody to write to it. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK

async function readEntry(table: string, version: number): Promise<string | undefined> {
  try {
    return await readFile(logEntryPath(table, version), { encoding: 'utf8', flag: WITHOUT_WAITING })
  } catch (error) {
    return unlessMissing(error, logEntryPath(table, version))
  }
}

/** Undefined for what is not there; what is there but cannot be read is damage. */
function unlessMissing(error: unknown, path: string): undefined {
  if (errorCodeOf(error) === 'ENOENT') return undefined
  const words = systemWordsOf(error)
  if (words === undefined) throw error
  fail('lake_damaged', `${path} cannot be read: ${words}; give access to it, or restore it from a copy.`, {
    cause: error,
  })
}

/** Versions have no gaps: an entry beyond the first missing one means that entries were lost. */
async function refuseGap(table: string, missing: number): Promise<void> {
  const names = await readdir(logFolder(table)).catch((error) => unlessMissing(error, logFolder(table)) ?? [])
  const beyond = names
    .map((name) => /^(\d{20})\.json$/.exec(name)?.[1])
    .find((digits) => digits !== undefined && Number(digits) > missing)
  if (beyond === undefined || (await readEntry(table, missing)) !== undefined) return
  fail(
    'lake_damaged',
    `${logEntryPath(table, missing)} is missing although version ${Number(beyond)} exists; restore it from a copy.`,
  )
}

/** Where the actions of an entry are noted by the path of their file. */
interface Live {
  set(path: string, add: AddAction): unknown
  delete(path: string): unknown
}

type EntryState = Pick<TableLog, 'committedAt'> &
  Partial<Pick<TableLog, 'protocol' | 'metaData' | 'writerRefusal'>>

function applyEntry(live: Live, text: string, path: string): EntryState {
  refuseFlippedBits(text, path)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) fail('lake_damaged', `${path} is empty; restore it from a copy.`)
  let state: EntryState = { committedAt: 0 }
  for (const line of lines) {
    try {
      state = { ...state, ...applyAction(live, line, path) }
    } catch (error) {
      if (error instanceof ServiceError) throw error
      const sentence = `${path} is cut or damaged: ${line.slice(0, 60)}… is no action of the Delta protocol.`
      fail('lake_damaged', sentence, { cause: error })
    }
  }
  return state
}

function applyAction(live: Live, line: string, path: string): Partial<EntryState> {
  const action = JSON.parse(line) as object | null
  if (action === null || typeof action !== 'object' || Array.isArray(action)) throw new Error('no object')
  if ('remove' in action) live.delete(decodeURIComponent((action.remove as RemoveAction).path))
  if ('add' in action) live.set(decodeURIComponent((action.add as AddAction).path), action.add as AddAction)
  if ('commitInfo' in action) return { committedAt: (action.commitInfo as CommitInfo).timestamp }
  if ('metaData' in action) return { metaData: action.metaData as MetaData }
  return 'protocol' in action ? checkProtocol(action.protocol as Protocol, path) : {}
}

function checkProtocol(protocol: Protocol, path: string): Partial<EntryState> {
  const { minReaderVersion, minWriterVersion } = protocol
  if (minReaderVersion > READER_VERSION) {
    fail(
      'lake_damaged',
      `${path} asks for Delta reader version ${minReaderVersion}; this program reads version ${READER_VERSION}.`,
    )
  }
  return { protocol, ...(minWriterVersion > WRITER_VERSION && { writerRefusal: path }) }
}

/** Entries of this program name their digest; those of others need not. */
function refuseFlippedBits(text: string, path: string): void {
  const named = DIGEST.exec(text)?.[1]
  const isWhole =
    named === undefined
      ? !text.includes(`"engineInfo":"${ENGINE}"`)
      : digestOf(text.replace(named, NO_DIGEST)) === named
  if (!isWhole)
    fail('lake_damaged', `${path} does not have the digest that it names; restore it from a copy.`)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** What a commit says of itself. */
export interface CommitLabel {
  readonly operation: string
  readonly runId: string
}

/** Writes one log entry, staged in the folder of its run. Gives false when another commit took the version. */
export async function appendEntry(
  lake: string,
  version: number,
  resource: Resource,
  actions: readonly Action[],
  label: CommitLabel,
): Promise<boolean> {
  const timestamp = Date.now()
  const commitInfo: CommitInfo = { timestamp, ...label, engineInfo: ENGINE, digest: NO_DIGEST }
  const first = version === 0 ? tableActions(resource, timestamp) : []
  const lines = [{ commitInfo }, ...first, ...actions].map((action) => JSON.stringify(action))
  const text = `${lines.join('\n')}\n`
  return await createIfAbsent(
    logEntryPath(tableFolder(lake, resource), version),
    text.replace(`"digest":"${NO_DIGEST}"`, `"digest":"${digestOf(text)}"`),
    runFolder(lake, label.runId),
  )
}

function tableActions(resource: Resource, createdTime: number): readonly Action[] {
  return [
    { protocol: { minReaderVersion: READER_VERSION, minWriterVersion: WRITER_VERSION } },
    {
      metaData: {
        id: randomUUID(),
        name: resource.name,
        description: resource.doc,
        format: { provider: 'parquet', options: {} },
        schemaString: deltaSchema(resource),
        partitionColumns: partitionColumns(resource),
        configuration: {},
        createdTime,
      },
    },
  ]
}
