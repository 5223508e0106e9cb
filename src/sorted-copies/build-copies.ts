import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { resources } from '../catalog/resources.ts'
import type { CopiesWriter } from '../lake/copies-writer.ts'
import { errorCodeOf } from '../lake/disk.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import { openScratchFolder, removeAbandoned } from '../lake/run-folder.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { copiesFolder, folderOf, readIndex, VERSIONS_KEPT, writeIndex } from './copies-index.ts'
import { sortedTablesOf } from './sorted-tables.ts'

export interface BuildRequest {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<CopiesWriter>
  readonly onTable?: (table: TableSnapshot, column: string) => void
  readonly signal?: AbortSignal
}

/**
 * Builds the sorted copies of some tables, and removes what dead builders left. They appear whole or not at all; another
 * builder may have been first. Errors: Error when the folder cannot be written; those of the writer.
 */
export async function buildSortedCopies(
  tables: readonly TableSnapshot[],
  request: BuildRequest,
): Promise<void> {
  const building = join(copiesFolder(request.stateFolder), 'building')
  await removeNeedless(request.stateFolder)
  if (tables.length === 0) return await removeAbandoned(building)
  const scratch = await openScratchFolder(building).catch((error) => {
    throw new Error(`${building} cannot be written (${errorCodeOf(error)})`, { cause: error })
  })
  try {
    const writer = await request.openWriter(join(scratch.folder, 'spill'))
    try {
      for (const table of tables) {
        request.signal?.throwIfAborted()
        await buildTable(table, writer, join(scratch.folder, table.resource.name), request)
      }
    } finally {
      await writer.close()
    }
  } finally {
    await scratch.close()
  }
}

/** What another release made of tables that have no sorted copies any more. */
async function removeNeedless(stateFolder: string): Promise<void> {
  for (const { name } of resources.filter((resource) => sortedTablesOf(resource).length === 0)) {
    await rm(join(copiesFolder(stateFolder), name), { recursive: true, force: true }).catch(() => {})
  }
}

async function buildTable(
  table: TableSnapshot,
  writer: CopiesWriter,
  folder: string,
  { stateFolder, onTable, signal }: BuildRequest,
): Promise<void> {
  const built = []
  const files = table.files.filter((file) => file.rows > 0)
  for (const order of sortedTablesOf(table.resource)) {
    signal?.throwIfAborted()
    onTable?.(table, order.column)
    const own = join(folder, `${order.as}-${order.column}`)
    await mkdir(own, { recursive: true })
    const isDistinct = order.as === 'pointers'
    built.push({
      table: order,
      files: await writer.sortInto(order.resource, order.column, files, own, isDistinct),
    })
  }
  const place = folderOf(stateFolder, table)
  await writeIndex(folder, place, built)
  await mkdir(dirname(place), { recursive: true })
  await moveTo(place, folder, table)
  await removeOlder(place)
}

/** A folder that is there already is one that another builder made of the same files, or one that is broken. */
async function moveTo(place: string, folder: string, { resource }: TableSnapshot): Promise<void> {
  await rename(folder, place).catch(async (error) => {
    await stat(place).catch(() => Promise.reject(error))
    if ((await readIndex(place, resource)) !== undefined) return
    // It goes with the scratch folder.
    await rename(place, `${folder}.broken`)
    await rename(folder, place)
  })
}

async function removeOlder(place: string): Promise<void> {
  const parent = dirname(place)
  const folders = await Promise.all(
    (await readdir(parent)).map(async (name) => {
      const path = join(parent, name)
      // Another builder may have removed it meanwhile.
      const found = await stat(path).catch(() => undefined)
      return { path, at: path === place ? Number.POSITIVE_INFINITY : (found?.mtimeMs ?? 0) }
    }),
  )
  const older = folders.sort((a, b) => b.at - a.at).slice(VERSIONS_KEPT)
  for (const { path } of older) await rm(path, { recursive: true, force: true })
}
