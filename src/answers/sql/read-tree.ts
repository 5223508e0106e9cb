import { fail } from '../../base/errors.ts'
import { clipped } from '../../base/parameter-text.ts'
import type { ResultColumn } from '../../engine/duckdb/confined/confined-session.ts'
import { splitStatements } from './split-statements.ts'
import { lineAt, positionAt } from './text-position.ts'

/** Syntax trees of SELECTs, or an error, as DuckDB serializes them. */
interface Serialized {
  readonly error: boolean
  readonly statements?: readonly {
    readonly node: unknown
    readonly named_param_map: readonly { readonly key: string }[]
  }[]
  readonly error_type?: string
  readonly error_message?: string
  /** Offset in the text, in code points. */
  readonly position?: string
}

/** The only statement of a script, with the blanks before it, so that places in it are places in the script. Errors: `malformed_request`. */
export function oneStatement(script: string): string {
  const { ended, unended } = splitStatements(script)
  const [text = script, ...remaining] = [...ended, unended].filter((statement) => statement !== '')
  if (remaining.length > 0) return refuseMany(remaining.length + 1)
  const before = script.slice(0, script.indexOf(text))
  return before.trim() === '' ? before + text : text
}

const USE_ONE_SELECT =
  'use one SELECT at a time, also as WITH, FROM, VALUES, DESCRIBE, SHOW TABLES or SUMMARIZE'

/** The tree of a single SELECT, and how many parameters it has: $1, $2 and so on, or ?. */
export interface SelectTree {
  readonly node: unknown
  readonly parameters: number
}

/** Returns the tree of a single SELECT. Errors: `malformed_request`. */
export function readTree(json: string, text: string): SelectTree {
  const { error, statements = [], ...fault } = JSON.parse(json) as Serialized
  if (error) refuseText(text, fault)
  const [statement, ...remaining] = statements
  if (statement === undefined) return refuse(`There is no statement; ${USE_ONE_SELECT}.`)
  if (remaining.length > 0) return refuseMany(statements.length)
  const names = new Set(statement.named_param_map.map(({ key }) => key))
  for (let number = 1; number <= names.size; number += 1)
    if (!names.has(String(number)))
      return refuse(
        `The statement has the parameters ${[...names].map((key) => `$${clipped(key)}`).join(', ')}, without $${number}; use $1, $2 and so on, or ? for each.`,
      )
  return { node: statement.node, parameters: names.size }
}

function refuseText(text: string, { error_type, error_message, position }: Omit<Serialized, 'error'>): never {
  if (error_type === 'not implemented') {
    const [verb = 'This'] = /[a-z]+/i.exec(text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')) ?? []
    return refuse(`${verb.toUpperCase()} is not accepted; ${USE_ONE_SELECT}.`)
  }
  const sentence = `Parser Error: ${error_message}`
  if (position === undefined) return refuse(sentence)
  const at = positionAt(text, Number(position))
  return fail('malformed_request', `${sentence}\n\n${lineAt(text, at)}`, { position: at })
}

const SHOWN = 60
const MOST_OF_TYPE = 10_000
/** Planning takes some milliseconds per column. */
const MOST_COLUMNS = 1000

function refuseMany(statements: number): never {
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
