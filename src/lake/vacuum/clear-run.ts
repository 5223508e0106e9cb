import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDataFilePath, isFactsPath } from '../disk/layout.ts'
import { readNamedPaths } from '../log/delta-log.ts'
import { removeUnneededFacts } from './vacuum-facts.ts'

/**
 * Removes the folder of a dead run. First removes its uncommitted links in the lake, which have the same paths as in
 * the folder and which no version names. Errors: `lake_damaged`; the files and the folder are then kept.
 */
export async function clearRun(lake: string, folder: string): Promise<void> {
  for (const table of await readdir(folder, { withFileTypes: true })) {
    if (table.isDirectory()) await removeOrphans(join(lake, table.name), join(folder, table.name))
  }
  await rm(folder, { recursive: true, force: true })
}

async function removeOrphans(table: string, staged: string): Promise<void> {
  const linked: string[] = []
  for (const path of await readdir(staged, { recursive: true })) {
    if (!isDataFilePath(path) && !isFactsPath(path)) continue
    const stats = await stat(join(table, path)).catch(() => undefined)
    if (stats !== undefined) linked.push(path)
  }
  if (linked.length === 0) return
  const named = await readNamedPaths(table)
  for (const path of linked)
    if (isDataFilePath(path) && !named.has(path)) await rm(join(table, path), { force: true })
  await removeUnneededFacts(
    table,
    linked.filter(isFactsPath).map((path) => basename(path)),
  )
}
