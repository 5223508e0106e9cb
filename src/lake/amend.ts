import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { fail } from '../errors.ts'
import { appendEntry, type CommitLabel } from './append-entry.ts'
import { MOST_ATTEMPTS, publish, readWritableLog, type StagedFile, withdraw } from './commit.ts'
import type { DataFile } from './data-file.ts'
import { makeFolder } from './disk.ts'
import { logFolder, tableFolder } from './layout.ts'
import type { AddAction } from './log-actions.ts'
import { absentTable, readTableSnapshot, type TableSnapshot } from './snapshot.ts'
import type { TableLog } from './table-state.ts'

/** What one commit changes: live files that go, and staged files that come. */
export interface Amendment {
  readonly stale: readonly DataFile[]
  readonly staged: readonly StagedFile[]
  /** False when the files that come hold the rows of those that go; true unless given. */
  readonly dataChange?: boolean
}

/**
 * Changes a table in one commit, all or nothing. `amend` says how, from the newest version; when another commit comes
 * first, it is asked again from that one. A table that does not exist yet has version -1. Nothing is committed when
 * nothing changes.
 * What fails leaves its files to the end of the run. Errors: `lake_damaged`, `commit_conflict`.
 */
export async function amendTable(
  lake: string,
  resource: Resource,
  label: CommitLabel,
  amend: (table: TableSnapshot) => Promise<Amendment>,
): Promise<void> {
  const table = tableFolder(lake, resource)
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const log = await readWritableLog(lake, resource)
    const amendment = await amend(
      log === undefined ? absentTable(resource) : readTableSnapshot(lake, resource, log),
    )
    if (amendment.stale.length + amendment.staged.length === 0) return
    if (await commitOnTop(lake, log, resource, amendment, label)) return
  }
  fail('commit_conflict', `Other commits to ${table} won ${MOST_ATTEMPTS} times; run the same command again.`)
}

/** False when another commit won; then nothing is left of this one. */
async function commitOnTop(
  lake: string,
  log: TableLog | undefined,
  resource: Resource,
  { stale, staged, dataChange = true }: Amendment,
  label: CommitLabel,
): Promise<boolean> {
  const table = tableFolder(lake, resource)
  await makeFolder(logFolder(table))
  const adds: AddAction[] = []
  for (const file of staged) adds.push(await publish(lake, resource, file, label))
  const isStale = (path: string) => stale.some((file) => file.path === join(table, path))
  const removes = [...(log?.live ?? [])].flatMap(([path, add]) => (isStale(path) ? [add] : []))
  if (await appendEntry(lake, resource, log, { removes, adds, dataChange }, label)) return true
  await withdraw(table, adds)
  return false
}
