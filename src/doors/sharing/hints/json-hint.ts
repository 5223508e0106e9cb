import { isMembers } from '../../../lake/log/log-actions.ts'
import { type HintPredicate, type Operator, unknownPredicate } from './predicate.ts'

/** Deeper predicates count as unknown. */
const MOST_LEVELS = 64

const operators: Readonly<Record<string, Operator>> = {
  equal: '=',
  lessThan: '<',
  lessThanOrEqual: '<=',
  greaterThan: '>',
  greaterThanOrEqual: '>=',
}

/** Operator after swapping both sides. */
const mirrored: Readonly<Record<Operator, Operator>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** Parses `jsonPredicateHints`. Unreadable parts become unknown predicates, as the protocol requires. */
export function readJsonHint(text: string): HintPredicate {
  try {
    return readNode(JSON.parse(text), 0)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return unknownPredicate
    throw error
  }
}

function readNode(node: unknown, level: number): HintPredicate {
  if (!isMembers(node) || level > MOST_LEVELS) return unknownPredicate
  const { op, children } = node
  const operands: readonly unknown[] = Array.isArray(children) ? children : []
  const [first, second] = operands
  if (op === 'and' || op === 'or') {
    const parts = operands.map((child) => readNode(child, level + 1))
    return parts.length === 0 ? unknownPredicate : { is: op, parts }
  }
  if (op === 'not')
    return operands.length === 1 ? { is: 'not', part: readNode(first, level + 1) } : unknownPredicate
  if (op === 'isNull') {
    const column = columnOf(first)
    return column === undefined || operands.length !== 1
      ? unknownPredicate
      : { is: 'null', column: column.name }
  }
  const operator = typeof op === 'string' ? operators[op] : undefined
  if (operator === undefined || operands.length !== 2) return unknownPredicate
  return (
    comparison(operator, first, second) ?? comparison(mirrored[operator], second, first) ?? unknownPredicate
  )
}

function comparison(operator: Operator, left: unknown, right: unknown): HintPredicate | undefined {
  const column = columnOf(left)
  if (column === undefined || !isMembers(right) || right.op !== 'literal') return undefined
  const { value: text, valueType } = right
  if (typeof text !== 'string' || valueType !== column.type) return undefined
  const isWhole = valueType === 'int' || valueType === 'long'
  if (isWhole && !/^-?\d{1,38}$/.test(text)) return undefined
  const value = isWhole ? BigInt(text) : text
  return { is: 'compare', column: column.name, operator, value, as: column.type }
}

function columnOf(node: unknown): { readonly name: string; readonly type: string } | undefined {
  if (!isMembers(node) || node.op !== 'column') return undefined
  const { name, valueType } = node
  return typeof name === 'string' && typeof valueType === 'string' ? { name, type: valueType } : undefined
}
