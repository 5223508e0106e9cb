import { fail } from '../../base/errors.ts'
import { isDataFilePath, isPartition } from '../disk/layout.ts'

/** The actions of the Delta protocol that are written and read here, and what is accepted as one. */

type Texts = Readonly<Record<string, string>>
type Members = Readonly<Record<string, unknown>>

/** What a member of an action may be, and what is accepted there in words. */
interface Check<T> {
  readonly isValid: (value: unknown) => value is T
  readonly accepted: string
}

interface Optional<T> extends Check<T> {
  readonly isOptional: true
}

const check = <T>(isValid: Check<T>['isValid'], accepted: string): Check<T> => ({ isValid, accepted })
const optional = <T>({ isValid, accepted }: Check<T>): Optional<T> => ({
  isValid: (value): value is T => value === undefined || value === null || isValid(value),
  accepted,
  isOptional: true,
})
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is Texts => isObject(value) && Object.values(value).every(isText)

const count = check(isCount, `a whole number from 0 to ${Number.MAX_SAFE_INTEGER} is accepted`)
const text = check(isText, 'a text is accepted')
const flag = check((value): value is boolean => typeof value === 'boolean', 'true or false is accepted')
const texts = check(isTexts, 'texts are accepted')
const list = check(
  (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
  'a list of texts is accepted',
)
const format = check(
  (value): value is { readonly provider: string; readonly options?: Texts } =>
    isObject(value) && isText(value.provider) && isTexts(value.options ?? {}),
  'a provider is accepted',
)

/** The members of each action; others are left out. Times are in milliseconds since 1970. */
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
  /** The progress of another program, which checkpoints have to keep. */
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
type ActionOf<K extends Kind> = { readonly [N in K]: Checked<(typeof actions)[K]> }
export type Action = { [K in Kind]: ActionOf<K> }[Kind]

export type AddAction = ActionOf<'add'>['add']
export type RemoveAction = ActionOf<'remove'>['remove']
export type Protocol = ActionOf<'protocol'>['protocol']
export type MetaData = ActionOf<'metaData'>['metaData']
export type Txn = ActionOf<'txn'>['txn']

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
  const kind = (Object.keys(actions) as Kind[]).find((name) => name in action)
  if (kind === undefined) return undefined
  const own = action[kind]
  if (!isObject(own)) throw new TypeError('no object')
  const checked = checkMembers(kind, own, entry)
  if (kind === 'add' || kind === 'remove') checkPlace(kind, checked, entry)
  return { [kind]: checked } as unknown as Action
}

function checkMembers(kind: Kind, own: Members, entry: string): Members {
  const known: readonly (readonly [string, Check<unknown>])[] = Object.entries(actions[kind])
  const wrong = known.find(([name, { isValid }]) => !isValid(own[name]))
  if (wrong !== undefined) {
    const [name, { accepted }] = wrong
    const found = `${withArticle(kind)} with the ${name} ${describeValue(own[name])}`
    fail('lake_damaged', `${entry} has ${found}; ${accepted}. Restore it from a copy.`)
  }
  const present = known.filter(([name]) => own[name] !== undefined && own[name] !== null)
  return Object.fromEntries(present.map(([name]) => [name, own[name]]))
}

/** A path of another form could lead anywhere. */
function checkPlace(kind: Kind, own: Members, entry: string): void {
  const path = decodeURIComponent(String(own.path))
  if (!isDataFilePath(path)) {
    const name = JSON.stringify(path.slice(0, 200))
    fail(
      'lake_damaged',
      `${entry} names the file ${name}, which is no path of a data file; restore it from a copy.`,
    )
  }
  const partitions = Object.entries((own.partitionValues ?? {}) as Texts)
  const wrong = partitions.find(([by, name]) => !isPartition(by, name))
  if (wrong === undefined) return
  const found = `${withArticle(kind)} with the partition ${describeValue(wrong[1])}`
  const accepted = 'a month or the first of 100,000 blocks is accepted'
  fail('lake_damaged', `${entry} has ${found}; ${accepted}. Restore it from a copy.`)
}

const withArticle = (kind: Kind) => (kind === 'add' ? 'an add' : `a ${kind}`)
