import { fail } from '../../base/errors.ts'
import { parameter, quoted, type RawQuery, refuse, textParameter } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { isObject } from '../../base/values/json-writer.ts'
import { type ExportFormat, plainFormats } from '../../catalog/export-formats.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'
import { integersAsText } from './query-schema.ts'

export const sqlPath = '/sql'

/** Limits of a JSON reply; files have all rows. */
export const MOST_SQL_ROWS = 10_000
export const MOST_SQL_CHARACTERS = 8_000_000

/** Longest body of a POST. */
export const MOST_SQL_BODY_BYTES = 1_000_000

export const sqlFormats: readonly ExportFormat[] = plainFormats
export const sqlFormatNames = ['json', ...sqlFormats.map(({ name }) => name)]

/** A checked request for the rows of a statement. */
export interface SqlQuery {
  readonly statement: string
  readonly values: readonly (string | null)[]
  /** Undefined for JSON, or if the request names none. */
  readonly format: ExportFormat | 'json' | undefined
  readonly integersAsText: boolean
  /** Most rows of a JSON reply. */
  readonly rows: number | undefined
  readonly asOf: string | undefined
}

const checks = {
  query: parameter((text, wrong) => text ?? wrong('is missing; give one SELECT')),
  parameters: parameter((text, wrong) =>
    text === undefined ? [] : (valuesIn(text) ?? wrong(EXPECTED_VALUES)),
  ),
  format: parameter((text, wrong) => {
    if (text === undefined || text === 'json') return text
    return sqlFormats.find(({ name }) => name === text) ?? wrong(outsideOf(sqlFormatNames, [text]) ?? '')
  }),
  integers: integersAsText,
  rows: parameter((text, wrong) => {
    if (text === undefined) return undefined
    const isCount = /^[1-9]\d{0,4}$/.test(text) && Number(text) <= MOST_SQL_ROWS
    return isCount ? Number(text) : wrong(`is ${quoted(text)}; use a number from 1 to ${MOST_SQL_ROWS}`)
  }),
  as_of: textParameter,
}

const EXPECTED_VALUES =
  'must be an array of texts and nulls, such as ["2025-01-31", "12", null]; numbers are texts too, so that no digit is lost'

/** Descriptions of the parameters. */
export const sqlParameters = {
  query: 'One SELECT in the SQL of DuckDB; `EXPLAIN SELECT` gives its plan.',
  parameters:
    'Values of $1, $2 and so on, or of each ?, as a JSON array of texts and nulls. Each is cast to the type of its parameter, so numbers are texts too.',
  format: 'Format of the reply; all but json are files with all rows. Without it the header Accept decides.',
  integers: 'Whether JSON and NDJSON have integers of 64 bits and more as digits or as strings.',
  rows: `Most rows of a JSON reply, up to ${MOST_SQL_ROWS}; \`is_cut\` says whether there are more.`,
  as_of: 'Id of a snapshot, or an instant; the newest unless given.',
} as const satisfies Readonly<Record<keyof typeof checks, string>>

const check = combineChecks(checks)

/** Checks a request. Errors: `malformed_request` that names every wrong parameter. */
export function sqlQuery(raw: RawQuery, refusesUnknown = true): SqlQuery {
  const { values, faults } = check(raw)
  const unknown = refusesUnknown ? unknownParameters(Object.keys(raw), Object.keys(checks)) : []
  const { format, rows } = values
  const ofJson =
    typeof format === 'object' && rows !== undefined
      ? [{ param: 'rows', message: `rows is of JSON; ${format.name} has all rows, so leave it out` }]
      : []
  refuse([...unknown, ...faults, ...ofJson])
  return {
    ...{ statement: values.query ?? '', values: values.parameters ?? [], format, rows },
    ...{ integersAsText: values.integers ?? false, asOf: values.as_of },
  }
}

/** Reads the body of a POST as parameters. Errors: `malformed_request`. */
export function sqlBody(body: unknown): RawQuery {
  if (!isObject(body as never))
    fail('malformed_request', 'The body must be a JSON object, such as {"query": "SELECT 1"}.')
  const members = Object.entries(body as object).filter(([, value]) => value !== null)
  return Object.fromEntries(
    members.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

function valuesIn(text: string): readonly (string | null)[] | undefined {
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    return undefined
  }
  const isValue = (value: unknown) => value === null || typeof value === 'string'
  return Array.isArray(values) && values.every(isValue) ? values : undefined
}
