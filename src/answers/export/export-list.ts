import { setImmediate } from 'node:timers/promises'
import { collectYoungBuffers } from '../../base/processes/collect-garbage.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { type FlatColumn, flatSourceColumns } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import { copyList } from './copy-list.ts'
import { flattener } from './flat-rows.ts'
import type { FormatOptions } from './formats/flat-batch.ts'
import { writers } from './formats/formats.ts'
import { recordedSources } from './recorded-sources.ts'

/** A list, its columns and the format of the file. */
export interface ExportRequest {
  readonly resource: Resource
  readonly filters: Filters
  readonly columns: readonly FlatColumn[]
  readonly format: ExportFormat
  readonly options: Pick<FormatOptions, 'integersAsText' | 'locale'>
}

/** A whole list as a file. */
export interface Export {
  /** Exact number of rows. */
  readonly rows: number
  /**
   * The bytes, produced on demand; `onRows` receives the number of rows read so far.
   * Errors: any failure, so that a partial file never looks complete.
   */
  bytes(onRows?: (sofar: number) => void): AsyncIterable<Uint8Array>
}

export async function exportList(
  repository: Repository,
  { resource, filters, columns, format, options }: ExportRequest,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<Export> {
  const list = await repository.whole(resource, filters, flatSourceColumns(resource, columns), at, signal)
  const isParquet = format.name === 'parquet'
  const keyValues = isParquet ? recordedSources(resource, filters, columns, at) : undefined
  const bytes = isParquet ? copyList(list, resource, columns, keyValues) : undefined
  if (bytes !== undefined) return { rows: list.total, bytes }
  const flatten = flattener(resource, columns, list)

  async function* batches(onRows?: (sofar: number) => void) {
    let sent = 0
    for await (const batch of list.batches()) {
      signal?.throwIfAborted()
      sent += batch.rows
      onRows?.(sent)
      yield flatten(batch)
      collectYoungBuffers()
      // A client that reads everything at once would block the event loop until the next part.
      await setImmediate()
    }
    if (sent !== list.total) throw new Error(`${resource.name} gave ${sent} of ${list.total} rows`)
  }

  const { scratchFolder } = list
  return {
    rows: list.total,
    bytes: (onRows) =>
      writers[format.name](columns, batches(onRows), { ...options, scratchFolder, keyValues }),
  }
}
