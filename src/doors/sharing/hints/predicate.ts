import { readInstant } from '../../../base/values/instant.ts'

/** What kinds of values can be compared exactly: texts by their bytes, whole numbers, instants in microseconds. */
export type Comparable = 'text' | 'whole' | 'instant'

export type Operator = '=' | '<' | '<=' | '>' | '>='

/** A predicate of a hint, as far as it is understood. */
export type Predicate =
  | {
      readonly is: 'compare'
      readonly column: string
      readonly operator: Operator
      readonly value: string | bigint
      /** The type that the column is cast to first; without it, the type that it has. */
      readonly as?: string
    }
  | { readonly is: 'null'; readonly column: string }
  | { readonly is: 'and' | 'or'; readonly parts: readonly Predicate[] }
  | { readonly is: 'not'; readonly part: Predicate }
  | { readonly is: 'unknown' }

/** One that may come out as anything. */
export const unknownPredicate: Predicate = { is: 'unknown' }

/** What a predicate may be for rows of a file. */
export interface Outcomes {
  readonly yes: boolean
  readonly no: boolean
  readonly null: boolean
}

/** What is known of the values of a column in a file. */
export interface KnownValues {
  readonly kind: Comparable
  /** The type as the schema has it. */
  readonly type: string
  /** No value is less, and none is greater. */
  readonly least: string | bigint
  readonly most: string | bigint
  /** Whether values equal to both bounds are there. */
  readonly isExact: boolean
}

/** A file as predicates see it. */
export interface PredicateFile {
  /** Undefined where nothing is known. */
  valuesOf(column: string): KnownValues | undefined
  /** Whether some rows, and whether all rows, have a null there. */
  nullsOf(column: string): { readonly some: boolean; readonly all: boolean }
}

const anything: Outcomes = { yes: true, no: true, null: true }

/** Never says too little: an outcome that is left out is one that no row of the file has. */
export function outcomesOf(predicate: Predicate, file: PredicateFile): Outcomes {
  switch (predicate.is) {
    case 'compare':
      return compare(predicate, file)
    case 'null': {
      const { some, all } = file.nullsOf(predicate.column)
      return { yes: some, no: !all, null: false }
    }
    case 'not': {
      const { yes, no, null: none } = outcomesOf(predicate.part, file)
      return { yes: no, no: yes, null: none }
    }
    case 'unknown':
      return anything
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

type Comparison = Extract<Predicate, { readonly is: 'compare' }>

function compare({ column, operator, value, as }: Comparison, file: PredicateFile): Outcomes {
  const { some, all } = file.nullsOf(column)
  if (all) return { yes: false, no: false, null: true }
  const known = file.valuesOf(column)
  const isKnown = known !== undefined && (as === undefined || castsOf[as]?.includes(known.type) === true)
  const given = isKnown ? readAs(known.kind, value) : undefined
  if (known === undefined || given === undefined) return { ...anything, null: some }
  const least = order(known.least, given)
  const most = order(known.most, given)
  return { ...outcomesWith(operator, least, most, known.isExact), null: some }
}

/** Types of columns whose values a cast to a type of the protocol leaves as they are. */
const castsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  int: ['integer'],
  long: ['integer', 'long'],
  timestamp: ['timestamp'],
}

/** `least` and `most` say how the bounds compare with the value. */
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

/** The value as one of a kind; undefined where comparing it would take a conversion, or a time zone that only the caller knows. */
function readAs(kind: Comparable, value: string | bigint): string | bigint | undefined {
  if (kind === 'whole') return typeof value === 'bigint' ? value : undefined
  if (typeof value === 'bigint') return undefined
  if (kind === 'text') return value
  return EXACT_INSTANT.test(value) ? readInstant(value) : undefined
}
