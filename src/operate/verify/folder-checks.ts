import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../../lake/disk/disk.ts'
import { logEntryPath } from '../../lake/disk/layout.ts'
import { lostFile } from './data-checks.ts'
import { type Finding, fault, note, repairs } from './finding.ts'
import type { Inventory } from './inventory.ts'
import { liveFile } from './table-view.ts'

const IN_ITS_PLACE = 'A folder is in its place.'

/** Returns faults by path: unreadable folders, and folders in place of log entries. */
export async function checkFolders({
  unlisted,
  tables,
  displayPath: tell,
}: Inventory): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const byPath = new Map<string, readonly Finding[]>()
  for (const [folder, why] of unlisted)
    byPath.set(folder, [
      fault({
        ...{ kind: 'folder', file: tell(folder), repair: 'give access to it, or look after the disk' },
        what: `It cannot be listed, so nothing in it was checked: ${why}.`,
      }),
    ])
  for (const { folder, entries } of tables)
    for (const version of entries) {
      const path = logEntryPath(folder, version)
      const isFolder = await lstat(path).then(
        (facts) => facts.isDirectory(),
        () => false,
      )
      if (!isFolder) continue
      const details = { file: tell(path), what: IN_ITS_PLACE, repair: repairs.fromCopy }
      byPath.set(path, [fault({ kind: 'log entry', ...details })])
    }
  return byPath
}

/** Returns tables with files but without log entries: a fault, or a note if running ingests have not committed yet. */
export function checkLogless({ withoutLog, unfinished }: Inventory): readonly Finding[] {
  const lost = { what: 'It has files and no log.', repair: repairs.fromCopy }
  const begun = {
    what: 'A run put files into it and has committed none; they are no part of the lake.',
    repair: 'ledgerlake vacuum, unless the run is going on',
  }
  return [
    ...withoutLog.map((file) => fault({ kind: 'table', file, ...lost })),
    ...unfinished.map((file) => note({ kind: 'leftover', file, ...begun })),
  ]
}

/** Returns missing live data files and facts. */
export async function checkMissing(
  { tables, displayPath: tell }: Inventory,
  byPath: ReadonlyMap<string, unknown>,
): Promise<readonly Finding[]> {
  const missing: Finding[] = []
  for (const table of tables)
    for (const [name, { factsOf = name }] of table.named) {
      const path = join(table.folder, name)
      const isLive = table.log?.live.has(factsOf) === true
      if (!isLive || byPath.has(path)) continue
      const kind = await lstat(path).then(
        (facts) => (facts.isDirectory() ? 'folder' : 'file'),
        (error) => (isMissing(error) ? 'missing' : 'unknown'),
      )
      // Skip files created since the listing, and unreadable ones, whose folder is reported.
      if (kind === 'file' || kind === 'unknown') continue
      const what = kind === 'missing' ? 'It is missing.' : IN_ITS_PLACE
      missing.push(lostFile(tell(path), what, liveFile(table, name) ?? true))
    }
  return missing
}
