import { fail } from '../../base/errors.ts'
import { isDataFilePath, isPartition } from '../disk/layout.ts'

type Texts = Readonly<Record<string, string>>
type Members = Readonly<Record<string, unknown>>

/** Validation of a member of an action, and its expected values in words. */
interface Check<T> {
  readonly isValid: (value: unknown) => value is T
  readonly expected: string
}

interface Optional<T> extends Check<T> {
  readonly isOptional: true
}

const check = <T>(isValid: Check<T>['isValid'], expected: string): Check<T> => ({ isValid, expected })
const optional = <T>({ isValid, expected }: Check<T>): Optional<T> => ({
  isValid: (value): value is T => value === undefined || value === null || isValid(value),
  expected,
  isOptional: true,
})
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is Texts => isMembers(value) && Object.values(value).every(isText)

const count = check(isCount, `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`)
const text = check(isText, 'a text')
const flag = check((value): value is boolean => typeof value === 'boolean', 'true or false')
const texts = check(isTexts, 'texts')
const list = check(
  (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
  'a list of texts',
)
const format = check(
  (value): value is { readonly provider: string; readonly options?: Texts } =>
    isMembers(value) && isText(value.provider) && isTexts(value.options ?? {}),
  'a provider',
)

/** Members of each action; other members are dropped. Times are in milliseconds since 1970. */
const actions = {
  commitInfo: {
    timestamp: optional(count),
    boot: optional(text),
    sinceBoot: optional(count),
    clockBehind: optional(count),
  },
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
  /** Progress of another program; checkpoints must keep it. */
  txn: { appId: text, version: count, lastUpdated: optional(count) },
  add: {
    path: text,
    partitionValues: texts,
    size: count,
    modificationTime: count,
    dataChange: flag,
    /** JSON text; its numbers are bare and may pass 2^53. */
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

type Checks = Readonly<Record<string, Check<unknown>>>
type OptionalIn<C extends Checks> = { [N in keyof C]: C[N] extends Optional<unknown> ? N : never }[keyof C]
type ValueOf<C> = C extends Check<infer T> ? T : never
type Checked<C extends Checks> = { readonly [N in Exclude<keyof C, OptionalIn<C>>]: ValueOf<C[N]> } & {
  readonly [N in OptionalIn<C>]?: ValueOf<C[N]>
}

type Kind = keyof typeof actions
const kinds = Object.keys(actions) as readonly Kind[]

type ActionOf<K extends Kind> = { readonly [N in K]: Checked<(typeof actions)[K]> }
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
  const checks: readonly (readonly [string, Check<unknown>])[] = Object.entries(actions[kind])
  const wrong = checks.find(([name, { isValid }]) => !isValid(members[name]))
  if (wrong !== undefined) {
    const [name, { expected }] = wrong
    const fault = `${withArticle(kind)} with the ${name} ${describeValue(members[name])}`
    fail('lake_damaged', `${entry} has ${fault}; expected ${expected}. Restore it from a copy.`)
  }
  const present = checks.filter(([name]) => members[name] !== undefined && members[name] !== null)
  return Object.fromEntries(present.map(([name]) => [name, members[name]]))
}

/** Refuses a path that may lead outside of the table. */
function checkPath(kind: Kind, { path: encoded, partitionValues }: Members, entry: string): void {
  const path = decodeURIComponent(String(encoded))
  if (!isDataFilePath(path)) {
    const name = JSON.stringify(path.slice(0, 200))
    fail(
      'lake_damaged',
      `${entry} names the file ${name}, which is no path of a data file; restore it from a copy.`,
    )
  }
  const partitions = isTexts(partitionValues) ? Object.entries(partitionValues) : []
  const wrong = partitions.find(([by, name]) => !isPartition(by, name))
  if (wrong === undefined) return
  const fault = `${withArticle(kind)} with the partition ${describeValue(wrong[1])}`
  const expected = 'a month or the first of 100,000 blocks'
  fail('lake_damaged', `${entry} has ${fault}; expected ${expected}. Restore it from a copy.`)
}

const withArticle = (kind: Kind) => (kind === 'add' ? 'an add' : `a ${kind}`)
