import type { Kind } from '../../catalog/column.ts'

/** The few things in which SQL engines differ. */
export interface Dialect {
  identifier(name: string): string
  /** A placeholder for the value bound at `index`, from 0, cast to the column type of a kind, so that comparisons keep their pruning. */
  bound(index: number, kind: Kind): string
  /** Whether a column of bytes equals the value bound at `index`. */
  equalBytes(column: string, index: number): string
  /** Whether a list of texts has one of those in the value bound at `index`. */
  anyOf(column: string, index: number): string
  /** Whether a text is one of those in the value bound at `index`. */
  oneOf(column: string, index: number): string
  /** FROM item over the files listed in the value bound at `index`. */
  files(index: number): string
  /** FROM item over one file, with the number of each row as the column `rowNumber`, and its rows in their order. */
  numberedRows(fileIndex: number): string
  readonly rowNumber: string
  /** The end of a statement that skips rows and limits how many follow. */
  cut(limit: number, offset: number): string
  /** Between the name of a common table and its statement, so that it is computed once. */
  readonly once: string
  /** A null of the column type of a kind. */
  absent(kind: Kind): string
  /** Reads a column as a value that JavaScript holds exactly. */
  selected(column: string, kind: Kind): string
  /** An exact sum of a column, wider than 64 bits; 0 over nothing. */
  sum(column: string): string
  /** Exact sum of round-half-up(column * 2^31 / price); rows without a price count as nothing. */
  sumOffloadedBytes(column: string, price: string): string
  /** FROM item of other rows with the greatest of the integers bound at `index` that is at most `column`, as the column step. */
  withStep(rows: string, column: string, index: number): string
  /** FROM item with the columns source_file and manifest_price, from values bound at two indexes as lists. */
  prices(fileIndex: number, priceIndex: number): string
}
