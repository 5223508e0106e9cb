import { parameter, quoted } from '../../base/parameter-text.ts'
import { nearest } from '../../base/unknown-parameters.ts'
import { isCell, looksLikeCell } from '../../base/values/h3-cell.ts'
import { cellAdvice, resolutionHint, spellCell } from '../../base/values/h3-cell-text.ts'
import { readInstant, writeInstant } from '../../base/values/instant.ts'
import type { Column, Kind } from '../column.ts'
import type { Filter } from '../resource.ts'

/** The value of a filter, typed by its column's kind; a list for filters with several values. */
export type FilterValue = bigint | string | readonly string[]

/** Differences between services with the same filters. */
export interface ValueDialect {
  /** True if unknown parameters and unknown choices are errors. */
  readonly refusesUnknown: boolean
  /** True if `UTC` may stand for Z, as in 2026-07-01 00:00:00 UTC. */
  readonly utcInWords: boolean
  /** Advice that names an alternative to a required range. */
  readonly insteadOfRange?: string | undefined
}

/** Parsers of filter values; other kinds compare as text. */
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

/** Keeps only whole seconds of the range: the start rounds up, the end rounds down. */
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

/** Advice for a number that looks like a rounded cell. */
export function cellHint(kind: Kind, text: string): string {
  const index = kind === 'cell' ? readLong(text) : undefined
  return index !== undefined && looksLikeCell(index) ? ROUNDED : ''
}

/** Microseconds per unit, by the number of digits of a time since 1970 between 2001 and 2286. */
const SINCE_1970: Readonly<Record<number, bigint>> = { 10: 1_000_000n, 13: 1000n, 16: 1n }

/** Hint with the ISO 8601 form of a number of seconds, milliseconds or microseconds. */
function timeHint(text: string): string {
  const micros = /^[1-9]\d*$/.test(text) ? SINCE_1970[text.length] : undefined
  return micros === undefined ? '' : `; since 1970 it is ${writeInstant(BigInt(text) * micros)}`
}

export function isoOf(text: string, { utcInWords }: ValueDialect): string {
  return utcInWords ? text.replace(/ UTC$/, 'Z') : text
}

/** Returns the fault of a value outside the choices, as the rest of a sentence that begins with the parameter. */
export function outsideOf(choices: readonly string[], values: readonly string[]): string | undefined {
  const outside = values.find((value) => !choices.includes(value))
  if (outside === undefined) return undefined
  const meant = nearest(outside, choices)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `${values.length > 1 ? 'has' : 'is'} ${quoted(outside)}; use one of ${choices.join(', ')}${hint}`
}

/** Parser of a filter, and advice for a text that it refuses. */
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

/** Creates the check of one filter; its value is undefined if absent. */
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
