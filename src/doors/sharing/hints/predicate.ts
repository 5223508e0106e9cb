import { readInstant } from '../../../base/values/instant.ts'

/** Kinds of values that compare exactly: text by bytes, integers, instants in microseconds. */
export type Comparable = 'text' | 'whole' | 'instant'

export type Operator = '=' | '<' | '<=' | '>' | '>='

/** A predicate of a hint. */
export type HintPredicate =
  | {
      readonly is: 'compare'
      readonly column: string
      readonly operator: Operator
      readonly value: string | bigint
      /** Type that the column is cast to first; by default its own. */
      readonly as?: string
    }
  | { readonly is: 'null'; readonly column: string }
  | { readonly is: 'and' | 'or'; readonly parts: readonly HintPredicate[] }
  | { readonly is: 'not'; readonly part: HintPredicate }
  | { readonly is: 'unknown' }

/** Predicate with any outcome. */
export const unknownPredicate: HintPredicate = { is: 'unknown' }

/** Possible outcomes of a predicate over the rows of a file. */
export interface Outcomes {
  readonly yes: boolean
  readonly no: boolean
  readonly null: boolean
}

/** Bounds of the values of a column in a file. */
export interface ValueBounds {
  readonly kind: Comparable
  /** Type in the schema. */
  readonly type: string
  readonly least: string | bigint
  readonly most: string | bigint
  /** True if both bounds occur as values. */
  readonly isExact: boolean
}

export interface PredicateFile {
  /** Returns undefined without statistics. */
  valuesOf(column: string): ValueBounds | undefined
  /** True if some rows, or all rows, are null. */
  nullsOf(column: string): { readonly hasNulls: boolean; readonly isAllNull: boolean }
}

const anyOutcome: Outcomes = { yes: true, no: true, null: true }

/** Returns a superset of the outcomes that rows of the file have. */
export function outcomesOf(predicate: HintPredicate, file: PredicateFile): Outcomes {
  switch (predicate.is) {
    case 'compare':
      return compare(predicate, file)
    case 'null': {
      const { hasNulls, isAllNull } = file.nullsOf(predicate.column)
      return { yes: hasNulls, no: !isAllNull, null: false }
    }
    case 'not': {
      const { yes, no, null: none } = outcomesOf(predicate.part, file)
      return { yes: no, no: yes, null: none }
    }
    case 'unknown':
      return anyOutcome
    default: {
      const parts = predicate.parts.map((part) => outcomesOf(part, file))
      const isAnd = predicate.is === 'and'
      return {
        yes: isAnd ? parts.every(({ yes }) => yes) : parts.some(({ yes }) => yes),
        no: isAnd ? parts.some(({ no }) => no) : parts.every(({ no }) => no),
        null: parts.some((part) => part.null),
      }
    }
  }
}

type Comparison = Extract<HintPredicate, { readonly is: 'compare' }>

function compare({ column, operator, value, as }: Comparison, file: PredicateFile): Outcomes {
  const { hasNulls, isAllNull } = file.nullsOf(column)
  if (isAllNull) return { yes: false, no: false, null: true }
  const bounds = file.valuesOf(column)
  const isComparable =
    bounds !== undefined && (as === undefined || castsOf[as]?.includes(bounds.type) === true)
  const operand = isComparable ? convertOperand(bounds.kind, value) : undefined
  if (bounds === undefined || operand === undefined) return { ...anyOutcome, null: hasNulls }
  const least = order(bounds.least, operand)
  const most = order(bounds.most, operand)
  return { ...outcomesWith(operator, least, most, bounds.isExact), null: hasNulls }
}

/** Column types that a cast to a protocol type does not change. */
const castsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  int: ['integer'],
  long: ['integer', 'long'],
  timestamp: ['timestamp'],
}

/** `least` and `most` are comparisons of the bounds with the value. */
function outcomesWith(operator: Operator, least: number, most: number, isExact: boolean) {
  switch (operator) {
    case '=':
      return { yes: least <= 0 && most >= 0, no: !(isExact && least === 0 && most === 0) }
    case '<':
      return { yes: least < 0, no: most >= 0 }
    case '<=':
      return { yes: least <= 0, no: most > 0 }
    case '>':
      return { yes: most > 0, no: least <= 0 }
    default:
      return { yes: most >= 0, no: least < 0 }
  }
}

function order(a: string | bigint, b: string | bigint): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : a > b ? 1 : 0
}

const EXACT_INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

/** Converts a value to a kind; undefined if that needs a cast, or a time zone that only the client has. */
function convertOperand(kind: Comparable, value: string | bigint): string | bigint | undefined {
  if (kind === 'whole') return typeof value === 'bigint' ? value : undefined
  if (typeof value === 'bigint') return undefined
  if (kind === 'text') return value
  return EXACT_INSTANT.test(value) ? readInstant(value) : undefined
}
