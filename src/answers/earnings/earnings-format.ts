import type { ExportFormat } from '../../catalog/export-formats.ts'
import type { EarningsRow } from './earnings-row.ts'

/** A file format of earnings. */
export interface EarningsFormat extends Omit<ExportFormat, 'name'> {
  readonly name: string
  /** True if rows without an amount in a known token are left out. */
  readonly hasPaymentsAlone?: true
  /** Writes rows, which come in batches of a day, as the bytes of a file. */
  write(rows: AsyncIterable<readonly EarningsRow[]>, options: FileOptions): AsyncIterable<Uint8Array>
}

interface FileOptions {
  readonly tz: string
  /** Language of CSV for spreadsheets. */
  readonly locale?: string | undefined
}
