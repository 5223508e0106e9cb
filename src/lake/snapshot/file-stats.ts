import { writeInstant } from '../../base/values/instant.ts'
import { type ByKind, byKind, type Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { FileFacts } from '../ports/file-writer.ts'

const LONGEST_TEXT = 32
const MILLISECOND = 1000n
const LAST_CHARACTER = '\u{10ffff}'

type Bound = 'least' | 'most'

const digits = (value: bigint | number) => value.toString()
const plain = (value: string) => value
const none = () => undefined

/** Writers of bounds by kind of column; they return undefined for kinds without bounds. */
const bounds: ByKind<[Bound], string | undefined> = {
  text: writeText,
  choice: writeText,
  amount: digits,
  long: digits,
  whole: digits,
  integer: digits,
  decimal: plain,
  instant: writeTimestamp,
  seconds: digits,
  cell: digits,
  uuid: writeText,
  boolean: none,
  bytes: none,
  texts: none,
  json: none,
  object: none,
}

/**
 * Writes the `stats` text of a file. Integers are bare, whatever their size. Truncated texts and timestamps are rounded
 * up for a maximum, so that a reader never skips a file that has the value.
 */
export function writeStats(resource: Resource, facts: FileFacts): string {
  const nulls = Object.keys(resource.columns).map(
    (name) => `${JSON.stringify(name)}:${facts.columns[name]?.nulls ?? 0}`,
  )
  return (
    `{"numRecords":${facts.rows},"minValues":${writeBounds(resource, facts, 'least')},` +
    `"maxValues":${writeBounds(resource, facts, 'most')},"nullCount":{${nulls.join(',')}}}`
  )
}

/** Returns the columns that a file lacks: `writeStats` wrote a null count for every column of the file. */
export function columnsLacking(resource: Resource, stats: string | undefined): readonly string[] {
  const counted = NULL_COUNTS.exec(stats ?? '')?.[1]
  if (counted === undefined) return []
  const nulls: object = JSON.parse(counted)
  return Object.keys(resource.columns).filter((name) => !Object.hasOwn(nulls, name))
}

/** Null counts come last. JSON.parse would round numbers of the statistics before them. */
const NULL_COUNTS = /"nullCount":(\{[^{}]*\})\}$/

function writeBounds(resource: Resource, facts: FileFacts, bound: Bound): string {
  const members = Object.entries(resource.columns).flatMap(([name, column]) => {
    const value: Value = facts.columns[name]?.[bound] ?? null
    const text = value === null ? undefined : byKind(bounds, column.kind, value, bound)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join(',')}}`
}

function writeText(value: string, bound: Bound): string {
  const characters = [...value]
  if (characters.length <= LONGEST_TEXT) return JSON.stringify(value)
  if (bound === 'least') return JSON.stringify(characters.slice(0, LONGEST_TEXT).join(''))
  // The last character cannot be raised, so a run of it stays.
  let end = LONGEST_TEXT
  while (characters[end] === LAST_CHARACTER) end += 1
  const cut = characters.slice(0, end).join('')
  return JSON.stringify(end === characters.length ? cut : cut + LAST_CHARACTER)
}

function writeTimestamp(micros: bigint, bound: Bound): string {
  const cut = micros - (((micros % MILLISECOND) + MILLISECOND) % MILLISECOND)
  return JSON.stringify(writeInstant(bound === 'most' && cut < micros ? cut + MILLISECOND : cut))
}
