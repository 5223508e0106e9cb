import { readInstant } from '../../base/values/instant.ts'
import { isMembers } from '../../lake/log/log-actions.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type Comparable, type LoggedFile, loggedFile } from './logged-file.ts'
import type { TableQuery } from './query-body.ts'

/** Deeper parts of a hint match any file. */
const MOST_LEVELS = 64

/** Whether a value of a range can satisfy an operator. `least` and `most` compare the bounds of the range with the operand. */
const canSatisfy = new Map<unknown, (least: number, most: number) => boolean>([
  ['equal', (least, most) => least <= 0 && most >= 0],
  ['lessThan', (least) => least < 0],
  ['lessThanOrEqual', (least) => least <= 0],
  ['greaterThan', (_, most) => most > 0],
  ['greaterThanOrEqual', (_, most) => most >= 0],
])

/** Operator after swapping both sides. */
const mirrored = new Map<unknown, string>([
  ['equal', 'equal'],
  ['lessThan', 'greaterThan'],
  ['lessThanOrEqual', 'greaterThanOrEqual'],
  ['greaterThan', 'lessThan'],
  ['greaterThanOrEqual', 'lessThanOrEqual'],
])

/** Column types that a cast to a protocol type does not change. */
const castsOf = new Map<unknown, readonly string[]>([
  ['string', ['string']],
  ['int', ['integer']],
  ['long', ['integer', 'long']],
  ['timestamp', ['timestamp']],
])

/**
 * Returns false if no row of a file can match a predicate of `jsonPredicateHints`. Comparisons of a column with a literal, `and` and
 * `or` count; the protocol allows to ignore all others.
 */
export function mayMatch(predicate: unknown, file: LoggedFile, level = 0): boolean {
  if (!isMembers(predicate) || level > MOST_LEVELS) return true
  const { op, children } = predicate
  const operands: readonly unknown[] = Array.isArray(children) ? children : []
  const operandMayMatch = (operand: unknown) => mayMatch(operand, file, level + 1)
  if (op === 'and') return operands.every(operandMayMatch)
  if (op === 'or') return operands.length === 0 || operands.some(operandMayMatch)
  if (operands.length !== 2) return true
  const [left, right] = operands
  return compare(op, left, right, file) ?? compare(mirrored.get(op), right, left, file) ?? true
}

/** Returns undefined unless a column is compared with a literal of its type, and the file has bounds of it. */
function compare(
  operator: unknown,
  column: unknown,
  literal: unknown,
  file: LoggedFile,
): boolean | undefined {
  if (!isMembers(column) || column.op !== 'column' || typeof column.name !== 'string') return undefined
  if (!isMembers(literal) || literal.op !== 'literal') return undefined
  const bounds = file.boundsOf(column.name)
  const isOfType = column.valueType === literal.valueType
  if (!isOfType || bounds === undefined || !castsOf.get(column.valueType)?.includes(bounds.type))
    return undefined
  const operand = operandOf(bounds.kind, literal.value)
  if (operand === undefined) return undefined
  return canSatisfy.get(operator)?.(order(bounds.least, operand), order(bounds.most, operand))
}

function order(a: string | bigint, b: string | bigint): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : a > b ? 1 : 0
}

const EXACT_INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

/** Reads a literal; undefined for an instant without a time zone, which only the client has. */
function operandOf(kind: Comparable, text: unknown): string | bigint | undefined {
  if (typeof text !== 'string') return undefined
  if (kind === 'text') return text
  if (kind === 'whole') return /^-?\d{1,38}$/.test(text) ? BigInt(text) : undefined
  return EXACT_INSTANT.test(text) ? readInstant(text) : undefined
}

type Hints = Pick<TableQuery, 'predicateHints' | 'jsonPredicateHints' | 'limitHint'>

/**
 * Selects the files that may have rows of a query. A limit counts only without predicates: which rows match
 * them is known to the client alone, which filters and limits again.
 */
export function selectFiles({ logged }: TableSnapshot, hints: Hints): readonly string[] {
  if (logged === undefined) return []
  const { predicateHints = [], jsonPredicateHints, limitHint = Number.POSITIVE_INFINITY } = hints
  const isFiltered = predicateHints.length > 0 || jsonPredicateHints !== undefined
  const predicate = readPredicate(jsonPredicateHints ?? '')
  const chosen: string[] = []
  let rows = 0
  for (const [path, add] of logged.live) {
    const file = loggedFile(logged.columns, add)
    if (!mayMatch(predicate, file)) continue
    if (!isFiltered && rows >= limitHint) break
    chosen.push(path)
    rows += file.rows ?? 0
  }
  return chosen
}

/** Returns undefined for a text that cannot be read. */
function readPredicate(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}
