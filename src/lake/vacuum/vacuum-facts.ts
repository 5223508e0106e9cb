import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesIn, isPresent } from '../disk/disk.ts'
import { factsFolder, factsPath, isFactsPath } from '../disk/layout.ts'
import { fileOfFacts } from '../facts/facts-file.ts'
import { namedFactsIn } from '../facts/file-tags.ts'
import { readTableLog } from '../log/delta-log.ts'

/**
 * Removes facts files that no live file needs and whose data file is gone; `among` limits their names. A data file is
 * created before its facts and removed before them, so neither clocks nor runs matter.
 * Errors: `lake_damaged`; those of the file system.
 */
export async function removeUnneededFacts(table: string, among?: readonly string[]): Promise<void> {
  const names = among ?? (await entriesIn(factsFolder(table))).map(({ name }) => name)
  const paths = names
    .map((name) => join(factsFolder(table), name))
    .filter((path) => isFactsPath(path.slice(table.length + 1)))
  if (paths.length === 0) return
  const live = [...((await readTableLog(table))?.live.values() ?? [])]
  const needed = new Set(live.map(({ tags }) => factsPath(table, namedFactsIn(tags)?.digest ?? '')))
  for (const path of paths) {
    if (needed.has(path)) continue
    const file = fileOfFacts(path)
    if (file !== undefined && !(await isPresent(join(table, file)))) await rm(path, { force: true })
  }
}
