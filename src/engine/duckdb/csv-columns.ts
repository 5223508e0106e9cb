import type { Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { columnTypes, identifier } from './duckdb-dialect.ts'

/** How a cell of text becomes a value of a kind. Expressions are over a cell that is not empty. */
interface CellKind {
  readonly isSound: (cell: string) => string
  readonly value: (cell: string) => string
  readonly accepted: string
  /** What an empty cell means in a column without nulls; such a cell is refused unless told. */
  readonly empty?: string
}

const asIs = (cell: string) => cell

/** The engine's casts take more than digits, such as 1.5 and 1e3; only what they write themselves is a number here. */
function integers(type: string, least: string, most: string): CellKind {
  const cast = (cell: string) => `TRY_CAST(${cell} AS ${type})`
  return {
    isSound: (cell) =>
      `coalesce(${cast(cell)}::VARCHAR = ${cell} AND ${cast(cell)} BETWEEN ${least} AND ${most}, false)`,
    value: (cell) => cast(cell),
    accepted: `a whole number from ${least} to ${most}`,
    empty: '0',
  }
}

const text: CellKind = {
  isSound: (cell) => `NOT contains(${cell}, chr(0))`,
  value: asIs,
  accepted: 'a text without the character NUL',
}

const DECIMAL_CELL = '-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,4})?'
const INSTANT_CELL = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?[+-]\\d\\d(:\\d\\d(:\\d\\d)?)?'
/** Digits beyond the 18 that are stored are cut, not rounded. */
const LONG_FRACTION = '(\\.\\d{18})\\d+'

const decimalValue = (cell: string) =>
  `TRY_CAST(regexp_replace(${cell}, '${LONG_FRACTION}', '\\1') AS ${columnTypes.decimal})`
const instantValue = (cell: string) => `TRY_CAST(${cell} AS ${columnTypes.instant})`

/** The engine's JSON has NaN, infinity and commas before a closing bracket, in any letter case; JSON has not. */
function isLaxJson(json: string): string {
  return `(contains(lower(${json}), 'nan') OR contains(lower(${json}), 'inf') OR regexp_matches(${json}, ',\\s*[\\]}]'))`
}

const withoutTexts = (json: string) => `regexp_replace(${json}, '"([^"\\\\]|\\\\.)*"', '""', 'gs')`

/** Kinds that the archive has cells of. */
const cellKinds: Readonly<Partial<Record<Kind, CellKind>>> = {
  text,
  choice: text,
  long: integers('BIGINT', '-9223372036854775808', '9223372036854775807'),
  whole: integers('BIGINT', '0', '9223372036854775807'),
  integer: integers('INTEGER', '-2147483648', '2147483647'),
  seconds: integers('BIGINT', '0', '253402300799'),
  decimal: {
    isSound: (cell) =>
      `coalesce(regexp_full_match(${cell}, '${DECIMAL_CELL}') AND ${decimalValue(cell)} IS NOT NULL, false)`,
    value: decimalValue,
    accepted: 'a decimal of at most 20 digits before the point',
  },
  instant: {
    isSound: (cell) =>
      `coalesce(regexp_full_match(${cell}, '${INSTANT_CELL}') AND ${instantValue(cell)} BETWEEN ` +
      `TIMESTAMPTZ '0001-01-01 00:00:00+00' AND TIMESTAMPTZ '9999-12-31 23:59:59.999999+00', false)`,
    value: instantValue,
    accepted: 'a time such as 2021-05-01 12:34:56+00',
  },
  object: {
    isSound: (cell) =>
      `(CASE WHEN NOT json_valid(${cell}) OR NOT starts_with(ltrim(${cell}, e' \\t\\r\\n'), '{') THEN false ` +
      `WHEN ${isLaxJson(cell)} THEN NOT ${isLaxJson(withoutTexts(cell))} ELSE true END)`,
    value: asIs,
    accepted: 'a JSON object',
  },
}

/** A cell of a line: its name in the archive, the column that it fills, and its expression. */
export interface Cell {
  readonly name: string
  readonly column: string
  readonly sql: string
}

/** The cells of a resource that arrives as CSV, in their order. */
export function cellsOf({ name, arrival }: Resource): readonly Cell[] {
  if (arrival?.as !== 'csv') throw new Error(`${name} does not arrive as CSV`)
  return Object.entries(arrival.cells).map(([cell, column], index) => ({
    ...{ name: cell, column },
    sql: identifier(`cell ${index}`),
  }))
}

function kindOf(resource: Resource, column: string): CellKind {
  const kind = cellKinds[resource.columns[column]?.kind ?? 'bytes']
  if (kind === undefined) throw new Error(`no cell of the archive can fill ${resource.name}.${column}`)
  return kind
}

/** The number of the first cell that cannot be a value of its column; null when all can. */
export function faultOf(resource: Resource, cells: readonly Cell[]): string {
  const cases = cells.map(({ column, sql }, index) => {
    const { isSound, empty } = kindOf(resource, column)
    const mayBeEmpty = resource.columns[column]?.nullable || empty !== undefined
    const whenEmpty = mayBeEmpty ? `${sql} IS NOT NULL AND` : `${sql} IS NULL OR`
    return `WHEN ${whenEmpty} NOT ${isSound(sql)} THEN ${index}`
  })
  return `CASE ${cases.join(' ')} END`
}

/** Every column that a cell fills, as it is stored; of a decimal that has a twin, that one too. */
export function storedColumns(resource: Resource, cells: readonly Cell[]): readonly string[] {
  return cells.flatMap(({ column, sql }) => {
    const { value, empty } = kindOf(resource, column)
    const isNullable = resource.columns[column]?.nullable ?? true
    const stored = isNullable || empty === undefined ? value(sql) : `coalesce(${value(sql)}, ${empty})`
    const exact = `${column}_exact`
    return [
      `${stored} AS ${identifier(column)}`,
      ...(exact in resource.columns ? [`${sql} AS ${identifier(exact)}`] : []),
    ]
  })
}

export function acceptedIn(resource: Resource, column: string): string {
  return kindOf(resource, column).accepted
}
