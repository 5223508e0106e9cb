import type { FlatColumn } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { partRowsOf } from '../../engine/parquet/flat-parts.ts'
import type { RowFacts } from '../records/manifests.ts'
import type { WholeList } from '../rows/whole-list.ts'
import { copyForm, refuseCopy } from './copy-form.ts'
import { joinParquet } from './formats/parquet.ts'

/** Has the engine write the parts of a Parquet file, one ahead. Returns undefined if it cannot. */
export function copyList(
  { copy, total, ...facts }: WholeList & RowFacts,
  resource: Resource,
  columns: readonly FlatColumn[],
  keyValues: Readonly<Record<string, string>> | undefined,
) {
  if (copy === undefined || total === 0) return undefined
  const formOf = copyForm(resource, columns, copy.isGrouped, facts)
  if (formOf === undefined) return undefined
  const partRows = partRowsOf(columns)

  const parts = async function* (onRows?: (sofar: number) => void): AsyncGenerator<Uint8Array> {
    let [first, end] = [0, Math.min(partRows, total)]
    let next = copy.part(first, end, formOf)
    while (first < total) {
      const part = await next.catch(refuseCopy)
      onRows?.(end)
      first = end
      end = Math.min(first + partRows, total)
      if (first < total) {
        next = copy.part(first, end - first, formOf)
        // The consumer awaits it later; an early return never does.
        next.catch(() => {})
      }
      yield part
    }
  }
  return (onRows?: (sofar: number) => void) => joinParquet(columns, parts(onRows), keyValues)
}
