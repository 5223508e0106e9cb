import { fail } from '../../base/errors.ts'
import { firstFault, z } from '../../base/zod.ts'
import { isDataFilePath, isPartition } from '../disk/layout.ts'

type Texts = Readonly<Record<string, string>>
type Members = Readonly<Record<string, unknown>>

// Each error text says what is expected of a member, at any depth in it.
const countWords = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`
const count = z.int(countWords).nonnegative(countWords)
const text = z.string('a text')
const flag = z.boolean('true or false')
const texts: z.ZodType<Texts> = z.record(z.string(), z.string('texts'), 'texts')
const list: z.ZodType<readonly string[]> = z.array(z.string('an array of strings'), 'an array of strings')
const optional = <T extends z.ZodType>(schema: T) => z.exactOptional(z.nullable(schema))
const providerWords = 'a provider'
const format: z.ZodType<{ readonly provider: string; readonly options?: Texts | null }> = z.looseObject(
  {
    provider: z.string(providerWords),
    options: optional(z.record(z.string(), z.string(providerWords), providerWords)),
  },
  providerWords,
)

/** Members of each action; other members are dropped. Times are in milliseconds since 1970. */
const actions = {
  commitInfo: z.object({
    timestamp: optional(count),
    boot: optional(text),
    sinceBoot: optional(count),
    clockBehind: optional(count),
  }),
  protocol: z.object({
    minReaderVersion: count,
    minWriterVersion: count,
    readerFeatures: optional(list),
    writerFeatures: optional(list),
  }),
  metaData: z.object({
    id: text,
    name: optional(text),
    description: optional(text),
    format,
    schemaString: text,
    partitionColumns: list,
    configuration: texts,
    createdTime: optional(count),
  }),
  /** Progress of another program; checkpoints must keep it. */
  txn: z.object({ appId: text, version: count, lastUpdated: optional(count) }),
  add: z.object({
    path: text,
    partitionValues: texts,
    size: count,
    modificationTime: count,
    dataChange: flag,
    /** JSON text; its numbers are bare and may pass 2^53. */
    stats: optional(text),
    tags: optional(texts),
  }),
  remove: z.object({
    path: text,
    deletionTimestamp: optional(count),
    dataChange: optional(flag),
    extendedFileMetadata: optional(flag),
    partitionValues: optional(texts),
    size: optional(count),
  }),
}

type Kind = keyof typeof actions
const kinds = Object.keys(actions) as readonly Kind[]

/** Members that are null are dropped. */
type Checked<T> = { readonly [N in keyof T]: Exclude<T[N], null> }
type ActionOf<K extends Kind> = { readonly [N in K]: Checked<z.infer<(typeof actions)[K]>> }
export type Action = { [K in Kind]: ActionOf<K> }[Kind]

export type AddAction = ActionOf<'add'>['add']
export type RemoveAction = ActionOf<'remove'>['remove']
export type Protocol = ActionOf<'protocol'>['protocol']
export type MetaData = ActionOf<'metaData'>['metaData']
export type Txn = ActionOf<'txn'>['txn']

/** Checks for a safe integer of at least 0. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Describes a value in a sentence; an object or array is not written out. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'absent'
  if (typeof value === 'object' && value !== null) return 'of another form'
  return JSON.stringify(value).slice(0, 80)
}

/**
 * Reads one line of an entry; undefined for an action that this program ignores. `entry` is named in errors.
 * Errors: `lake_damaged`; SyntaxError, TypeError, URIError or RangeError for a line that is no action.
 */
export function readAction(line: string, entry: string): Action | undefined {
  const action: unknown = JSON.parse(line)
  if (!isMembers(action)) throw new TypeError('no object')
  const kind = kinds.find((name) => name in action)
  if (kind === undefined) return undefined
  const members = action[kind]
  if (!isMembers(members)) throw new TypeError('no object')
  const checked = checkMembers(kind, members, entry)
  if (kind === 'add' || kind === 'remove') checkPath(kind, checked, entry)
  return { [kind]: checked } as unknown as Action
}

function checkMembers(kind: Kind, members: Members, entry: string): Members {
  const { data, error } = actions[kind].safeParse(members)
  const wrong = firstFault(error)
  if (wrong !== undefined) {
    const fault = `${withArticle(kind)} with the ${wrong.name} ${describeValue(members[wrong.name])}`
    fail('lake_damaged', `${entry} has ${fault}; expected ${wrong.expected}. Restore it from a copy.`)
  }
  return Object.fromEntries(Object.entries(data ?? {}).filter(([, value]) => value != null))
}

/** Refuses a path that may lead outside of the table. */
function checkPath(kind: Kind, { path: encoded, partitionValues }: Members, entry: string): void {
  const path = decodeURIComponent(String(encoded))
  if (!isDataFilePath(path)) {
    const name = JSON.stringify(path.slice(0, 200))
    fail(
      'lake_damaged',
      `${entry} names the file ${name}, which is not the path of a data file; restore it from a copy.`,
    )
  }
  const partitions = isMembers(partitionValues) ? Object.entries(partitionValues) : []
  const wrong = partitions.find(([by, name]) => !isPartition(by, String(name)))
  if (wrong === undefined) return
  const fault = `${withArticle(kind)} with the partition ${describeValue(wrong[1])}`
  const expected = 'a month or the first of 100,000 blocks'
  fail('lake_damaged', `${entry} has ${fault}; expected ${expected}. Restore it from a copy.`)
}

const withArticle = (kind: Kind) => (kind === 'add' ? 'an add' : `a ${kind}`)
