import { ServiceError, sentenceOf } from '../base/errors.ts'
import type { Lake } from '../lake/snapshot/lake.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { type KeptSnapshot, readKept } from '../lake/vacuum/kept-snapshots.ts'
import { keepIn } from '../services/copies.ts'
import type { Settings } from '../services/settings/settings.ts'
import { alignColumns, sizeText } from './terminal-text.ts'

/** A kept snapshot with the bytes of its files that the newest snapshot does not need. */
interface KeptStatus extends KeptSnapshot {
  readonly bytes: number
}

/** Kept snapshots; null with the reason while the bucket of a copy cannot be read. */
interface KeptStatuses {
  readonly kept: readonly KeptStatus[] | null
  readonly keptFault?: string
}

/** Reads the kept snapshots of a lake. Errors: `lake_damaged`. */
export async function readKeptStatus(
  settings: Settings,
  lake: Lake,
  newest: Snapshot,
): Promise<KeptStatuses> {
  const { records, elsewhere } = keepIn(settings)
  const statuses: KeptStatus[] = []
  try {
    for (const kept of await readKept(settings.lake, records))
      statuses.push({ ...kept, bytes: bytesOnlyIn(await lake.at(kept.snapshot), newest) })
    return { kept: statuses }
  } catch (error) {
    if (elsewhere === undefined || error instanceof ServiceError) throw error
    return { kept: null, keptFault: sentenceOf(error) }
  }
}

/** Bytes of the files that the newest snapshot lacks. */
function bytesOnlyIn(at: Snapshot | undefined, newest: Snapshot): number {
  const live = new Set(newest.tables.flatMap(({ files }) => files.map(({ path }) => path)))
  const files = (at?.tables ?? []).flatMap((table) => table.files).filter(({ path }) => !live.has(path))
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Formats kept snapshots as a table; empty without any. */
export function keptLines({ kept: statuses, keptFault }: KeptStatuses): readonly string[] {
  if (statuses === null) return ['', `Kept statements unknown: ${keptFault}`]
  if (statuses.length === 0) return []
  const cells = statuses.map(({ id, since, bytes, reason }) => [
    id.slice(0, 12),
    since.slice(0, 10),
    sizeText(bytes),
    reason,
  ])
  return ['', ...alignColumns([['kept', 'since', 'bytes', 'for'], ...cells], [0, 1, 3])]
}
