import type { Kind } from '../../catalog/column.ts'

/** Differences between SQL engines. */
export interface SqlDialect {
  identifier(name: string): string
  /** Placeholder of the value bound at `index`, from 0, cast to the column type, which pruning needs. */
  bound(index: number, kind: Kind): string
  /** Condition: a bytes column equals the value at `index`. */
  equalBytes(column: string, index: number): string
  /** Condition: a list of texts shares an element with the value at `index`. */
  anyOf(column: string, index: number): string
  /** Condition: a text is in the list at `index`. */
  oneOf(column: string, index: number): string
  /** FROM item over the files at `index`. */
  files(index: number): string
  /** OFFSET and LIMIT clause. */
  cut(limit: number, offset: number): string
  /** Keyword that computes a common table once. */
  readonly once: string
  /** A null of the column type. */
  absent(kind: Kind): string
  /** Selects a column in a form that JavaScript represents exactly. */
  selected(column: string, kind: Kind): string
  /** An exact sum of a column, wider than 64 bits; 0 over nothing. */
  sum(column: string): string
  /** Exact sum of round-half-up(column * 2^31 / price); rows without a price count as nothing. */
  sumOffloadedBytes(column: string, price: string): string
  /** FROM item that adds the column step: the greatest integer at `index` that is at most `column`. */
  withStep(rows: string, column: string, index: number): string
  /** FROM item with source_file and manifest_price, from two bound lists. */
  prices(fileIndex: number, priceIndex: number): string
}
