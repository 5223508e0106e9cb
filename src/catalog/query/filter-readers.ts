import { parameter, quoted } from '../../base/parameter-text.ts'
import { nearest } from '../../base/unknown-parameters.ts'
import { isCell, looksLikeCell } from '../../base/values/h3-cell.ts'
import { cellAdvice, resolutionHint, spellCell } from '../../base/values/h3-cell-text.ts'
import { readInstant, writeInstant } from '../../base/values/instant.ts'
import type { Column, Kind } from '../column.ts'
import type { Filter } from '../resource.ts'

/** The value of a filter: as its column's kind has it; a list for filters that take several. */
export type FilterValue = bigint | string | readonly string[]

/** In what services differ that read the same filters. */
export interface ValueDialect {
  /** Whether a name that is not known is an error, as a parameter and as a value out of a closed set. */
  readonly refusesUnknown: boolean
  /** Whether `UTC` may stand for Z, as in 2026-07-01 00:00:00 UTC. */
  readonly utcInWords: boolean
  /** The end of the sentence that names the alternatives to the required ends of a range. */
  readonly insteadOfRange?: string | undefined
}

/** How a filter of each kind is read; kinds that no filter has yet compare as text. */
const filterReaders: Readonly<
  Partial<Record<Kind, (value: string, filter: Filter) => FilterValue | undefined>>
> = {
  instant: (value, { match }) => readInstant(value, match === 'atLeast' ? 'up' : 'down'),
  seconds: readSeconds,
  long: readLong,
  whole: readLong,
  cell: (value) => {
    const index = readLong(value)
    return index !== undefined && isCell(index) ? index : undefined
  },
  uuid: (value) => value.toLowerCase(),
  texts: (value) => value.split(',').map((text) => text.trim()),
}

/** A second counts when it lies in the range whole or in part, so the start goes up and the end goes down. */
function readSeconds(value: string, { match }: Filter): bigint | undefined {
  const micros = readInstant(value, match === 'atLeast' ? 'up' : 'down')
  if (micros === undefined) return undefined
  const [second, rest] = [micros / 1_000_000n, micros % 1_000_000n]
  if (match === 'atLeast') return rest > 0n ? second + 1n : second
  return rest < 0n ? second - 1n : second
}

function readLong(value: string): bigint | undefined {
  if (!/^-?\d{1,30}$/.test(value)) return undefined
  const number = BigInt(value)
  return BigInt.asIntN(64, number) === number ? number : undefined
}

const A_TIME = 'use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z'
const A_LONG = 'use a whole number of at most 64 bits'

const advice: Readonly<Partial<Record<Kind, string>>> = {
  instant: A_TIME,
  seconds: A_TIME,
  long: A_LONG,
  whole: A_LONG,
  cell: 'use an H3 cell as a decimal integer, such as 631280284262249471',
}

const ONE_VALUE = 'has a comma; give one key here, and several to a series'

const ROUNDED = '; this one may have been rounded by a JSON reader, and integers=string gives cells as text'

/** What to do about a number that is nearly a cell. */
export function cellHint(kind: Kind, text: string): string {
  const index = kind === 'cell' ? readLong(text) : undefined
  return index !== undefined && looksLikeCell(index) ? ROUNDED : ''
}

/** Digits of a number of seconds, milliseconds or microseconds since 1970, from 2001 to 2286. */
const SINCE_1970: Readonly<Record<number, bigint>> = { 10: 1_000_000n, 13: 1000n, 16: 1n }

/** The time that a number of seconds or of parts of them stands for, as programs write it. */
function timeHint(text: string): string {
  const micros = /^[1-9]\d*$/.test(text) ? SINCE_1970[text.length] : undefined
  return micros === undefined ? '' : `; since 1970 it is ${writeInstant(BigInt(text) * micros)}`
}

/** A time as ISO 8601 has it. */
export function isoOf(text: string, { utcInWords }: ValueDialect): string {
  return utcInWords ? text.replace(/ UTC$/, 'Z') : text
}

/** What is wrong when one of the values is none of the choices: the rest of a sentence that begins with the parameter. */
export function outsideOf(choices: readonly string[], values: readonly string[]): string | undefined {
  const outside = values.find((value) => !choices.includes(value))
  if (outside === undefined) return undefined
  const meant = nearest(outside, choices)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `${values.length > 1 ? 'has' : 'is'} ${quoted(outside)}; use one of ${choices.join(', ')}${hint}`
}

/** How the texts of a filter are read, and the advice about a text that is refused. */
interface FilterReader {
  readonly read: (text: string, filter: Filter) => FilterValue | undefined
  readonly advise: (text: string) => string
}

const asText = (text: string) => text

function readerOf({ resolution }: Filter, kind: Kind): FilterReader {
  if (resolution !== undefined)
    return {
      read: (text) => spellCell(text, resolution),
      advise: (text) => `${cellAdvice(resolution)}${resolutionHint(text, resolution)}`,
    }
  const isTime = kind === 'instant' || kind === 'seconds'
  return {
    read: filterReaders[kind] ?? asText,
    advise: (text) => `${advice[kind] ?? 'give a text'}${isTime ? timeHint(text) : cellHint(kind, text)}`,
  }
}

/** The check of one filter, and its value; undefined when it is not given. */
export function filterCheck(
  filter: Filter,
  { kind = 'text', choices }: Partial<Column> = {},
  dialect: ValueDialect,
) {
  const { read, advise } = readerOf(filter, kind)
  const isTime = kind === 'instant' || kind === 'seconds'
  return parameter((text, wrong) => {
    if (text !== undefined) {
      if (filter.isOne && text.includes(',') && dialect.refusesUnknown) return wrong(ONE_VALUE)
      const value = read(isTime ? isoOf(text, dialect) : text, filter)
      if (value === undefined) return wrong(`is ${quoted(text)}; ${advise(text)}`)
      if (choices === undefined || !dialect.refusesUnknown) return value
      const outside = outsideOf(choices, typeof value === 'object' ? value : [String(value)])
      return outside === undefined ? value : wrong(outside)
    }
    if (!filter.required) return undefined
    const instead = dialect.insteadOfRange === undefined ? '' : `, ${dialect.insteadOfRange}`
    return wrong(`is required; ${advise('')}${instead}`)
  })
}
