import { fail } from '../../base/errors.ts'
import type { ResultColumn } from '../../engine/duckdb/confined/confined-session.ts'

/** Syntax trees of SELECTs, or an error, as DuckDB serializes them. */
interface Serialized {
  readonly error: boolean
  readonly statements?: readonly { readonly node: unknown; readonly named_param_map: readonly unknown[] }[]
  readonly error_type?: string
  readonly error_message?: string
  /** Offset in the text, in code points. */
  readonly position?: string
}

const USE_ONE_SELECT =
  'use one SELECT at a time, also as WITH, FROM, VALUES, DESCRIBE, SHOW TABLES or SUMMARIZE'

/** Returns the tree of a single SELECT. Errors: `malformed_request`. */
export function readTree(json: string, text: string): unknown {
  const { error, statements = [], ...fault } = JSON.parse(json) as Serialized
  if (error) refuseText(text, fault)
  const [statement, ...remaining] = statements
  if (statement === undefined) return refuse(`There is no statement; ${USE_ONE_SELECT}.`)
  if (remaining.length > 0) return refuseMany(statements.length)
  if (statement.named_param_map.length > 0)
    return refuse(
      'The statement has parameters such as ? or $1, for which there are no values; write the values into it.',
    )
  return statement.node
}

function refuseText(text: string, { error_type, error_message, position }: Omit<Serialized, 'error'>): never {
  if (error_type === 'not implemented') {
    const [verb = 'This'] = /[a-z]+/i.exec(text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')) ?? []
    return refuse(`${verb.toUpperCase()} is not accepted; ${USE_ONE_SELECT}.`)
  }
  const at = position === undefined ? '' : `\n\n${lineAt(text, Number(position))}`
  return refuse(`Parser Error: ${error_message}${at}`)
}

const SHOWN = 60
const MOST_OF_TYPE = 10_000
/** Planning takes some milliseconds per column. */
const MOST_COLUMNS = 1000

/** The line of an offset with a caret below, as in DuckDB errors. */
function lineAt(text: string, position: number): string {
  const before = [...text].slice(0, position).join('')
  const start = before.lastIndexOf('\n') + 1
  const [line = ''] = text.slice(start).split('\n')
  const column = before.length - start
  const first = Math.max(0, column - SHOWN)
  const head = `LINE ${before.split('\n').length}: ${first > 0 ? '...' : ''}`
  const shown = line.slice(first, column + SHOWN)
  return `${head}${shown}${shown.length + first < line.length ? '...' : ''}\n${' '.repeat(head.length + column - first)}^`
}

/** Errors: `malformed_request`. */
export function refuseMany(statements: number): never {
  return refuse(`There are ${statements} statements; ${USE_ONE_SELECT}.`)
}

/**
 * The engine stops at the first NUL, so the checked text could differ from the executed one.
 * Errors: `malformed_request`.
 */
export function refuseNul(text: string): void {
  if (text.includes('\0')) refuse('The statement contains a NUL character; remove it.')
}

/** Refuses too many columns, and types that grow exponentially with the statement. Errors: `malformed_request`. */
export function refuseHugeResults(columns: readonly ResultColumn[]): void {
  if (columns.length > MOST_COLUMNS)
    refuse(`The result has ${columns.length} columns; select at most ${MOST_COLUMNS}.`)
  for (const { name, type } of columns)
    if (type.length > MOST_OF_TYPE)
      refuse(
        `The type of column ${name.slice(0, SHOWN)} has ${type.length} characters; use a type of at most ${MOST_OF_TYPE}.`,
      )
}

function refuse(sentence: string): never {
  return fail('malformed_request', sentence)
}
