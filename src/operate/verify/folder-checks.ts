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
  displayPath,
}: Inventory): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const byPath = new Map<string, readonly Finding[]>()
  for (const [folder, why] of unlisted)
    byPath.set(folder, [
      fault(
        'folder',
        displayPath(folder),
        `It cannot be listed, so nothing in it was checked: ${why}.`,
        'give access to it, or look after the disk',
      ),
    ])
  for (const { folder, entries } of tables)
    for (const version of entries) {
      const path = logEntryPath(folder, version)
      const isFolder = await lstat(path).then(
        (facts) => facts.isDirectory(),
        () => false,
      )
      if (isFolder) byPath.set(path, [fault('log entry', displayPath(path), IN_ITS_PLACE, repairs.fromCopy)])
    }
  return byPath
}

/** Returns tables with files but without log entries: a fault, or a note if running ingests have not committed yet. */
export function checkLogless({ withoutLog, unfinished }: Inventory): readonly Finding[] {
  const begun = 'A run put files into it and has committed none; they are no part of the lake.'
  const repair = 'ledgerlake vacuum, unless the run is going on'
  return [
    ...withoutLog.map((file) => fault('table', file, 'It has files and no log.', repairs.fromCopy)),
    ...unfinished.map((file) => note('leftover', file, begun, repair)),
  ]
}

/** Returns missing live data files and facts. */
export async function checkMissing(
  { tables, displayPath }: Inventory,
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
      missing.push(lostFile(displayPath(path), what, liveFile(table, name) ?? true))
    }
  return missing
}
