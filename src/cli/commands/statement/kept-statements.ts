import type { JsonObject } from '../../../base/values/json-writer.ts'
import { refuseUnwritable } from '../../../lake/disk/unwritable.ts'
import { openLake } from '../../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { keepSnapshot, releaseSnapshot } from '../../../lake/vacuum/kept-snapshots.ts'
import { keepIn } from '../../../services/copies.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { print } from '../../terminal-text.ts'
import { titleLine } from './summary-text.ts'

/** Keeps the snapshot of a statement. Errors: those of `keepSnapshot`. */
export async function keepStatement(settings: Settings, at: Snapshot, summary: JsonObject): Promise<void> {
  const since = `${new Date().toISOString().slice(0, 19)}Z`
  const record = { id: String(summary.digest), since, reason: titleLine(summary) }
  await keepSnapshot(keepIn(settings), at, record).catch((error) => refuseUnwritable(error, settings.lake))
}

/** Lets a kept statement go. Errors: `not_found`, those of the lake. */
export async function releaseStatement(settings: Settings, digits: string): Promise<void> {
  await openLake(settings.lake)
  const { reason } = await releaseSnapshot(keepIn(settings), digits).catch((error) =>
    refuseUnwritable(error, settings.lake),
  )
  print(`Released: ${reason}. The next vacuum may remove its files.`)
}

/** Says for how long the same bytes can be had again. */
export function repeatLine({ digest, snapshot }: JsonObject, isKept: boolean): string {
  const again = `Repeat it with --as-of ${snapshot}`
  return isKept
    ? `${again}. Vacuum keeps its files until: ledgerlake statement --release ${String(digest).slice(0, 12)}`
    : `${again}, until vacuum removes files of that snapshot; with --keep it spares them.`
}
