import type { Resource } from '../catalog/resource.ts'
import { decimalsOf, USD_DECIMALS } from '../derive/series-record.ts'
import { fail } from '../errors.ts'
import type { Steps } from '../slices.ts'

/** Sums of the rows of one source and period that are in one group, in the order of the sums that are declared. */
export interface Cell {
  readonly source: string
  readonly period: bigint
  readonly group: string | null
  readonly sums: readonly bigint[]
}

/** What a source and a period say: where they stand in the series, and what an amount of them is. */
export interface CellFacts {
  readonly start: string | null
  readonly token: string | null
  /** USD of a whole token, times ten to the number of its decimals; null when it is unknown or 0. */
  readonly price: bigint | null
}

/** The facts of a cell; undefined while the start of its epoch has to be read. */
export type FactsOf = (source: string, period: bigint) => CellFacts | undefined

/** A row of a series. */
export interface SeriesRow {
  readonly start: string | null
  readonly token: string | null
  readonly group: string | null
  readonly sums: readonly bigint[]
  readonly earned: bigint
  /** In units of 10^-16 USD; null when something was earned at an unknown price. */
  readonly usd: bigint | null
}

/** A row has at most this many siblings: each takes some 400 bytes until the reply is sent. */
const MOST_SERIES_ROWS = 400_000

/** Cells are added so many at a time before other requests have their turn. */
const CELLS_AT_ONCE = 256

interface Growing extends SeriesRow {
  readonly sums: bigint[]
  earned: bigint
  usd: bigint | null
}

/** The rows of one token that begin at one time, by their group. */
export type RowsOfToken = Map<string | null, Growing>

/** Adds cells up to the rows of a series. Amounts of different tokens are never added. */
export class SeriesFold {
  readonly #resource: Resource
  readonly #earned: readonly number[]
  readonly #isByToken: boolean
  readonly #mostRows: number
  readonly #starts = new Map<string | null, Map<string | null, RowsOfToken>>()
  readonly #unplaced: Cell[] = []
  #rows = 0

  constructor(resource: Resource, isByToken = false, mostRows = MOST_SERIES_ROWS) {
    const members = Object.values(resource.series?.sums ?? {})
    this.#resource = resource
    this.#earned = (resource.earned ?? []).map((column) => members.indexOf(column))
    this.#isByToken = isByToken
    this.#mostRows = mostRows
  }

  /** The rows so far, by start and token. */
  get starts(): ReadonlyMap<string | null, ReadonlyMap<string | null, RowsOfToken>> {
    return this.#starts
  }

  /** Removes the cells whose facts were not known, and returns them. */
  takeUnplaced(): readonly Cell[] {
    return this.#unplaced.splice(0)
  }

  /** Errors: `malformed_request` for more rows than a series may have. */
  *add(cells: Iterable<Cell>, factsOf: FactsOf): Steps<void> {
    let added = 0
    for (const cell of cells) {
      const facts = factsOf(cell.source, cell.period)
      if (facts === undefined) this.#unplaced.push(cell)
      else this.#addCell(cell, facts)
      added += 1
      if (added % CELLS_AT_ONCE === 0) yield
    }
  }

  #addCell({ group: given, sums }: Cell, { start, token, price }: CellFacts): void {
    const group = this.#isByToken ? token : given
    const rows = this.#rowsOf(start, token)
    const earned = this.#earned.reduce((sum, place) => sum + (sums[place] ?? 0n), 0n)
    let row = rows.get(group)
    if (row === undefined) {
      this.#rows += 1
      if (this.#rows > this.#mostRows) this.#refuse()
      row = { start, token, group, sums: [...sums], earned: 0n, usd: 0n }
      rows.set(group, row)
    } else
      for (let place = 0; place < sums.length; place += 1)
        row.sums[place] = (row.sums[place] ?? 0n) + (sums[place] ?? 0n)
    row.earned += earned
    if (earned > 0n && row.usd !== null) row.usd = usdOf(earned, token, price, row.usd)
  }

  #rowsOf(start: string | null, token: string | null): RowsOfToken {
    let tokens = this.#starts.get(start)
    if (tokens === undefined) {
      tokens = new Map()
      this.#starts.set(start, tokens)
    }
    let rows = tokens.get(token)
    if (rows === undefined) {
      rows = new Map()
      tokens.set(token, rows)
    }
    return rows
  }

  #refuse(): never {
    return fail(
      'malformed_request',
      `The series of ${this.#resource.name} has more than ${this.#mostRows} rows; ask for a shorter range, a longer interval or a smaller limit.`,
    )
  }
}

function usdOf(earned: bigint, token: string | null, price: bigint | null, before: bigint): bigint | null {
  const decimals = decimalsOf(token)
  if (decimals === undefined || price === null) return null
  return before + earned * price * 10n ** BigInt(USD_DECIMALS - 2 * decimals)
}
