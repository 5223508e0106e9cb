import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileRowsReader } from '../../../lake/ports/file-rows-reader.ts'
import { removeAbandoned } from '../../../lake/runs/run-folder.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import { BlockCache } from '../../blocks/block-cache.ts'
import { DamagedFile } from '../../blocks/container.ts'
import type { BuildRequest } from '../../build-block-files.ts'
import { keysFolder, listKeyPaths, olderKeysFolders, tableKeysFolder } from '../../index-file.ts'
import { withScratchWriter } from '../../maintenance/with-scratch-writer.ts'
import { openIfIntact } from '../../open-files.ts'
import { type Cover, findCover } from '../cover.ts'
import { openKeyFile } from '../key-file.ts'
import { openLists } from './open-lists.ts'
import { planKeyFiles } from './plan-key-files.ts'
import { writeKeyFile } from './write-key-file.ts'

/**
 * Builds the missing indexes by key and renames each into place. Removes the scratch folders of killed builders.
 * Errors: Error when the folder cannot be written; the first error of a table, after all tables.
 */
export async function buildKeyFiles(tables: readonly TableSnapshot[], request: BuildRequest): Promise<void> {
  for (const name of olderKeysFolders)
    await rm(join(request.stateFolder, name), { recursive: true, force: true }).catch(() => {})
  const building = join(keysFolder(request.stateFolder), 'building')
  if (tables.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, request.openWriter, request.signal, async (reader, scratch) => {
    const errors: unknown[] = []
    for (const table of tables) {
      request.signal?.throwIfAborted()
      await buildTable(table, reader, scratch, request).catch((error) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  })
}

async function buildTable(
  table: TableSnapshot,
  reader: FileRowsReader,
  scratch: string,
  { stateFolder, onProgress, signal }: BuildRequest,
): Promise<void> {
  const { resource } = table
  const folder = tableKeysFolder(stateFolder, table)
  await mkdir(folder, { recursive: true })
  for (const names of planKeyFiles(table, await readCover(folder, table))) {
    signal?.throwIfAborted()
    onProgress?.(`gathering the hotspots of ${resource.name}`)
    const path = join(scratch, resource.name)
    const listsOf = (files: TableSnapshot['files']) =>
      openLists(resource, files, stateFolder, scratch, reader)
    const write = () => writeKeyFile(path, table, names, listsOf, signal)
    await rename(path, join(folder, await retryWithoutDamaged(write)))
  }
  const used = (await readCover(folder, table)).coverings.map(({ file }) => file.path)
  // Readers keep removed files open.
  for (const path of await listKeyPaths(folder)) if (!used.includes(path)) await rm(path, { force: true })
}

/** Removes damaged lists and tries again; `openLists` rebuilds them. */
async function retryWithoutDamaged<T>(build: () => Promise<T>): Promise<T> {
  const removed = new Set<string>()
  for (;;) {
    try {
      return await build()
    } catch (error) {
      if (!(error instanceof DamagedFile) || removed.has(error.path)) throw error
      removed.add(error.path)
      await rm(error.path, { force: true })
    }
  }
}

/** Finds the cover of a table by the files of a folder, and closes the files. */
async function readCover(folder: string, table: TableSnapshot): Promise<Cover> {
  const cache = new BlockCache(0)
  const files = (await listKeyPaths(folder)).flatMap(
    (path) => openIfIntact(() => openKeyFile(path, table.resource, cache)) ?? [],
  )
  const cover = findCover(table, files)
  for (const file of files) file.close()
  return cover
}
