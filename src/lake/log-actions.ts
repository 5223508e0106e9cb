import { fail } from '../errors.ts'
import { isDataFilePath, isPartition } from './layout.ts'

/** The actions of the Delta protocol that are written and read here, and what is accepted as one. */

type Texts = Readonly<Record<string, string>>

export interface AddAction {
  readonly path: string
  readonly partitionValues: Texts
  readonly size: number
  readonly modificationTime: number
  readonly dataChange: boolean
  /** JSON text; its numbers are bare and may pass 2^53. */
  readonly stats?: string
  readonly tags?: Texts
}

export interface RemoveAction {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly deletionTimestamp?: number
  readonly dataChange: boolean
  readonly extendedFileMetadata?: boolean
  readonly partitionValues?: Texts
  readonly size?: number
}

export interface Protocol {
  readonly minReaderVersion: number
  readonly minWriterVersion: number
  readonly readerFeatures?: readonly string[]
  readonly writerFeatures?: readonly string[]
}

export interface MetaData {
  readonly id: string
  readonly name?: string
  readonly description?: string
  readonly format: { readonly provider: string; readonly options: Texts }
  readonly schemaString: string
  readonly partitionColumns: readonly string[]
  readonly configuration: Texts
  readonly createdTime?: number
}

/** The progress of another program, which checkpoints have to keep. */
export interface Txn {
  readonly appId: string
  readonly version: number
  readonly lastUpdated?: number
}

interface CommitInfo {
  /** Milliseconds since 1970. */
  readonly timestamp: number
}

export type Action =
  | { readonly commitInfo: CommitInfo }
  | { readonly protocol: Protocol }
  | { readonly metaData: MetaData }
  | { readonly txn: Txn }
  | { readonly add: AddAction }
  | { readonly remove: RemoveAction }

type Members = Readonly<Record<string, unknown>>

/** Whether a value may stand in a member, and what is accepted there. */
type Check = readonly [isAccepted: (value: unknown) => boolean, accepted: string]

const count: Check = [isCount, `a whole number from 0 to ${Number.MAX_SAFE_INTEGER} is accepted`]
const text: Check = [(value) => typeof value === 'string', 'a text is accepted']
const flag: Check = [(value) => typeof value === 'boolean', 'true or false is accepted']
const texts: Check = [
  (value) => isObject(value) && Object.values(value).every((own) => typeof own === 'string'),
  'texts are accepted',
]
const list: Check = [
  (value) => Array.isArray(value) && value.every((own) => typeof own === 'string'),
  'a list of texts is accepted',
]
const format: Check = [
  (value) => isObject(value) && text[0](value.provider) && optional(texts)[0](value.options),
  'a provider is accepted',
]
const optional = ([isAccepted, accepted]: Check): Check => [
  (value) => value === undefined || value === null || isAccepted(value),
  accepted,
]

/** The members of each action; others are left out. */
const members: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  commitInfo: { timestamp: optional(count) },
  protocol: {
    minReaderVersion: count,
    minWriterVersion: count,
    readerFeatures: optional(list),
    writerFeatures: optional(list),
  },
  metaData: {
    id: text,
    name: optional(text),
    description: optional(text),
    format,
    schemaString: text,
    partitionColumns: list,
    configuration: texts,
    createdTime: optional(count),
  },
  txn: { appId: text, version: count, lastUpdated: optional(count) },
  add: {
    path: text,
    partitionValues: texts,
    size: count,
    modificationTime: count,
    dataChange: flag,
    stats: optional(text),
    tags: optional(texts),
  },
  remove: {
    path: text,
    deletionTimestamp: optional(count),
    dataChange: optional(flag),
    extendedFileMetadata: optional(flag),
    partitionValues: optional(texts),
    size: optional(count),
  },
}

/** A whole number that is exact, from 0. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value in a sentence; what is nested may be of any depth and is not written out. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'absent'
  if (typeof value === 'object' && value !== null) return 'of another form'
  return JSON.stringify(value).slice(0, 80)
}

/**
 * One line of an entry; undefined for an action that does not concern this program. `entry` is named in errors.
 * Errors: `lake_damaged`; SyntaxError, TypeError, URIError or RangeError for a line that is no action at all.
 */
export function readAction(line: string, entry: string): Action | undefined {
  const action: unknown = JSON.parse(line)
  if (!isObject(action)) throw new TypeError('no object')
  const kind = Object.keys(members).find((name) => name in action)
  if (kind === undefined) return undefined
  const own = action[kind]
  if (!isObject(own)) throw new TypeError('no object')
  const checked = checkMembers(kind, own, entry)
  if (kind === 'add' || kind === 'remove') checkPlace(kind, checked, entry)
  return { [kind]: checked } as unknown as Action
}

function checkMembers(kind: string, own: Members, entry: string): Members {
  const known = Object.entries(members[kind] ?? {})
  for (const [name, [isAccepted, accepted]] of known) {
    if (isAccepted(own[name])) continue
    const told = `${kind === 'add' ? 'an' : 'a'} ${kind} with the ${name} ${describeValue(own[name])}`
    fail('lake_damaged', `${entry} has ${told}; ${accepted}. Restore it from a copy.`)
  }
  const present = known.filter(([name]) => own[name] !== undefined && own[name] !== null)
  return Object.fromEntries(present.map(([name]) => [name, own[name]]))
}

/** A path of another form could lead anywhere. */
function checkPlace(kind: string, own: Members, entry: string): void {
  const path = decodeURIComponent(String(own.path))
  if (!isDataFilePath(path)) {
    const told = `names the file ${JSON.stringify(path.slice(0, 200))}, which is no path of a data file`
    fail('lake_damaged', `${entry} ${told}; restore it from a copy.`)
  }
  const partitions = Object.entries((own.partitionValues ?? {}) as Texts)
  const wrong = partitions.find(([by, name]) => !isPartition(by, name))
  if (wrong === undefined) return
  const told = `${kind === 'add' ? 'an' : 'a'} ${kind} with the partition ${describeValue(wrong[1])}`
  const accepted = 'a month or the first of 100,000 blocks is accepted'
  fail('lake_damaged', `${entry} has ${told}; ${accepted}. Restore it from a copy.`)
}
