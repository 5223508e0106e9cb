import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { resources } from '../catalog/resources.ts'
import type { CopiesWriter } from '../lake/copies-writer.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import { removeAbandoned } from '../lake/run-folder.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { BuildOptions } from '../maintenance/derived.ts'
import { newestFirst, removeOlder } from '../maintenance/versions.ts'
import { withScratchWriter } from '../maintenance/with-scratch-writer.ts'
import { copiesFolder, folderOf, readIndex, writeIndex } from './copies-index.ts'
import { FIRST_ROW, sortedTablesOf } from './sorted-tables.ts'

interface BuildRequest extends BuildOptions {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<CopiesWriter>
}

/**
 * Builds the sorted copies of some tables, and removes what killed builders left. They appear whole or not at all; another
 * builder may have been first. Errors: Error when the folder cannot be written; those of the writer.
 */
export async function buildSortedCopies(
  tables: readonly TableSnapshot[],
  request: BuildRequest,
): Promise<void> {
  const { stateFolder, openWriter, signal } = request
  const building = join(copiesFolder(stateFolder), 'building')
  await removeUnneeded(stateFolder)
  if (tables.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, openWriter, signal, async (writer, folder) => {
    for (const table of tables) await buildTable(table, writer, join(folder, table.resource.name), request)
  })
}

/** Removes sorted copies that an older release made of tables that need none now. */
async function removeUnneeded(stateFolder: string): Promise<void> {
  for (const { name } of resources.filter((resource) => sortedTablesOf(resource).length === 0)) {
    await rm(join(copiesFolder(stateFolder), name), { recursive: true, force: true }).catch(() => {})
  }
}

async function buildTable(
  table: TableSnapshot,
  writer: CopiesWriter,
  folder: string,
  { stateFolder, onProgress, signal }: BuildRequest,
): Promise<void> {
  const built = []
  const files = table.files.filter((file) => file.rows > 0)
  for (const sorted of sortedTablesOf(table.resource)) {
    signal?.throwIfAborted()
    onProgress?.(`sorting ${table.resource.name} by ${sorted.column} for filters`)
    const own = join(folder, `${sorted.as}-${sorted.column}`)
    await mkdir(own, { recursive: true })
    const firstRow = sorted.as === 'pointers' ? FIRST_ROW : undefined
    built.push({
      table: sorted,
      files: await writer.sortInto(sorted.resource, sorted.column, files, own, firstRow),
    })
  }
  const place = folderOf(stateFolder, table)
  await writeIndex(folder, place, built)
  await mkdir(dirname(place), { recursive: true })
  await moveTo(place, folder, table)
  const others = (await newestFirst(dirname(place))).filter((path) => path !== place)
  await removeOlder([place, ...others])
}

/** When the folder exists, another builder made it from the same files, or it is damaged. */
async function moveTo(place: string, folder: string, { resource }: TableSnapshot): Promise<void> {
  await rename(folder, place).catch(async (error) => {
    await stat(place).catch(() => Promise.reject(error))
    if ((await readIndex(place, resource)) !== undefined) return
    // It is removed with the scratch folder.
    await rename(place, `${folder}.damaged`)
    await rename(folder, place)
  })
}
