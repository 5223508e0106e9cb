import { fail } from '../../base/errors.ts'
import type { Steps } from '../../base/slices.ts'
import { type Whole, wholeOf } from '../../base/values/exact-sums.ts'
import type { Resource } from '../../catalog/resource.ts'
import { rateOf, SeriesColumns, type SeriesStep } from './series-rows.ts'

/** Sums of the rows of one source, period and group, in declaration order. */
export interface SeriesCell {
  readonly source: string
  readonly period: bigint
  readonly group: string | null
  readonly sums: readonly bigint[]
}

/** Facts of a source and period: their step, token and price. */
export interface CellFacts {
  readonly start: string | null
  readonly token: string | null
  /** USD per whole token, times ten to its decimals; null if unknown or 0. */
  readonly price: bigint | null
}

/** Facts of a cell; undefined while the start of its epoch is unknown. */
export type FactsOf = (source: string, period: bigint) => CellFacts | undefined

const MOST_SERIES_ROWS = 400_000

/** Cells per slice of the event loop. */
const CELLS_AT_ONCE = 256

/** Row numbers by group number, for one token and step. */
export type RowsOfToken = ReadonlyMap<number, number>

/** Target of cells with the same facts. */
export interface CellTarget {
  readonly step: SeriesStep
  readonly rows: Map<number, number>
  readonly rate: number
}

/** Sums cells into the rows of a series. Amounts of different tokens are never added. */
export class SeriesFold {
  readonly #resource: Resource
  readonly #isByToken: boolean
  readonly #mostRows: number
  readonly #starts = new Map<string | null, Map<string | null, Pick<CellTarget, 'step' | 'rows'>>>()
  readonly #targets = new WeakMap<CellFacts, CellTarget>()
  readonly #unplaced: SeriesCell[] = []
  readonly #sums: Whole[]
  readonly columns: SeriesColumns

  constructor(resource: Resource, isByToken = false, mostRows = MOST_SERIES_ROWS) {
    const members = Object.values(resource.series?.sums ?? {})
    this.#resource = resource
    this.#isByToken = isByToken
    this.#mostRows = mostRows
    this.#sums = members.map(() => 0)
    const earned = (resource.earned ?? []).map((column) => members.indexOf(column))
    this.columns = new SeriesColumns(members.length, earned)
  }

  /** Rows so far, by start and token. */
  *tokens(): Generator<SeriesStep & { readonly rows: RowsOfToken }> {
    for (const tokens of this.#starts.values())
      for (const { step, rows } of tokens.values()) yield { ...step, rows }
  }

  /** Removes and returns the cells without facts. */
  takeUnplaced(): readonly SeriesCell[] {
    return this.#unplaced.splice(0)
  }

  /** Errors: `malformed_request` for more rows than a series may have. */
  *add(cells: Iterable<SeriesCell>, factsOf: FactsOf): Steps<void> {
    let added = 0
    for (const cell of cells) {
      const facts = factsOf(cell.source, cell.period)
      if (facts === undefined) this.postpone(cell)
      else this.#addCell(cell, this.targetOf(facts))
      added += 1
      if (added % CELLS_AT_ONCE === 0) yield
    }
  }

  /** Keeps a cell without facts for later. */
  postpone(cell: SeriesCell): void {
    this.#unplaced.push(cell)
  }

  #addCell({ group, sums }: SeriesCell, target: CellTarget): void {
    for (let index = 0; index < sums.length; index += 1) this.#sums[index] = wholeOf(sums[index] ?? 0n)
    this.addSums(target, group, this.#sums)
  }

  /** Errors: `malformed_request` for more rows than a series may have. */
  addSums({ rows, step, rate }: CellTarget, token: string | null, sums: readonly Whole[]): void {
    const group = this.columns.numberOfGroup(this.#isByToken ? step.token : token)
    let row = rows.get(group)
    if (row === undefined) {
      if (this.columns.length >= this.#mostRows) this.#refuse()
      row = this.columns.begin(step, group)
      rows.set(group, row)
    }
    this.columns.add(row, sums, rate)
  }

  /** Returns the target of cells with these facts. */
  targetOf(facts: CellFacts): CellTarget {
    const existing = this.#targets.get(facts)
    if (existing !== undefined) return existing
    const { start, token, price } = facts
    let tokens = this.#starts.get(start)
    if (tokens === undefined) {
      tokens = new Map()
      this.#starts.set(start, tokens)
    }
    let tokenRows = tokens.get(token)
    if (tokenRows === undefined) {
      tokenRows = { step: { start, token }, rows: new Map() }
      tokens.set(token, tokenRows)
    }
    const target = { ...tokenRows, rate: this.columns.numberOf(rateOf(token, price)) }
    this.#targets.set(facts, target)
    return target
  }

  #refuse(): never {
    return fail(
      'malformed_request',
      `The series of ${this.#resource.name} has more than ${this.#mostRows} rows; ask for a shorter range, a longer interval or a smaller limit.`,
    )
  }
}
