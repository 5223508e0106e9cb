import type { Kind } from '../../../catalog/column.ts'
import { columnTypeOf } from '../../duckdb/catalog-sql.ts'
import { type Sql, sql } from '../../duckdb/sql.ts'

/** Conversion of a text cell to a kind. Expressions apply to a non-empty cell. */
export interface CellKind {
  readonly isSound: (cell: Sql) => Sql
  readonly value: (cell: Sql) => Sql
  readonly expected: string
  /** Value of an empty cell in a column without nulls; without it the cell is refused. */
  readonly empty?: Sql
}

const asIs = (cell: Sql) => cell

/** Accepts only numbers in the engine's own format: its casts also take 1.5 and 1e3. */
function integers(kind: Kind, least: bigint, most: bigint): CellKind {
  const value = (cell: Sql) => sql`TRY_CAST(${cell} AS ${columnTypeOf(kind)})`
  return {
    isSound: (cell) =>
      sql`coalesce(${value(cell)}::VARCHAR = ${cell} AND ${value(cell)} BETWEEN ${least} AND ${most}, false)`,
    value,
    expected: `a whole number from ${least} to ${most}`,
    empty: sql`0`,
  }
}

const text: CellKind = {
  isSound: (cell) => sql`NOT contains(${cell}, chr(0))`,
  value: asIs,
  expected: 'a text without the character NUL',
}

const DECIMAL_CELL = '-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,4})?'
const INSTANT_CELL = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?[+-]\\d\\d(:\\d\\d(:\\d\\d)?)?'
/** Digits beyond the 18 that are stored are cut, not rounded. */
const LONG_FRACTION = '(\\.\\d{18})\\d+'

const decimalValue = (cell: Sql) =>
  sql`TRY_CAST(regexp_replace(${cell}, ${LONG_FRACTION}, ${'\\1'}) AS ${columnTypeOf('decimal')})`
const instantValue = (cell: Sql) => sql`TRY_CAST(${cell} AS ${columnTypeOf('instant')})`

/** The engine's JSON also accepts NaN, infinity and trailing commas, in any case. */
const isLaxJson = (json: Sql) =>
  sql`(contains(lower(${json}), 'nan') OR contains(lower(${json}), 'inf') OR regexp_matches(${json}, ${',\\s*[\\]}]'}))`

const withoutTexts = (json: Sql) => sql`regexp_replace(${json}, ${'"([^"\\\\]|\\\\.)*"'}, '""', 'gs')`

const startsObject = (json: Sql) => sql`starts_with(ltrim(${json}, ${' \t\r\n'}), '{')`

export const cellKinds: Readonly<Partial<Record<Kind, CellKind>>> = {
  text,
  choice: text,
  long: integers('long', -(2n ** 63n), 2n ** 63n - 1n),
  whole: integers('whole', 0n, 2n ** 63n - 1n),
  integer: integers('integer', -(2n ** 31n), 2n ** 31n - 1n),
  seconds: integers('seconds', 0n, 253_402_300_799n),
  decimal: {
    isSound: (cell) =>
      sql`coalesce(regexp_full_match(${cell}, ${DECIMAL_CELL}) AND ${decimalValue(cell)} IS NOT NULL, false)`,
    value: decimalValue,
    expected: 'a decimal of at most 20 digits before the point',
  },
  instant: {
    isSound: (cell) =>
      sql`coalesce(regexp_full_match(${cell}, ${INSTANT_CELL}) AND ${instantValue(cell)} BETWEEN
        TIMESTAMPTZ '0001-01-01 00:00:00+00' AND TIMESTAMPTZ '9999-12-31 23:59:59.999999+00', false)`,
    value: instantValue,
    expected: 'a time such as 2021-05-01 12:34:56+00',
  },
  object: {
    isSound: (cell) =>
      sql`(CASE WHEN NOT json_valid(${cell}) OR NOT ${startsObject(cell)} THEN false
        WHEN ${isLaxJson(cell)} THEN NOT ${isLaxJson(withoutTexts(cell))} ELSE true END)`,
    value: asIs,
    expected: 'a JSON object',
  },
}
