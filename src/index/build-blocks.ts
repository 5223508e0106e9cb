import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileRowsReader, RowVectors } from '../lake/ports/file-rows-reader.ts'
import type { OpenWriter } from '../lake/ports/open-writer.ts'
import { removeAbandoned } from '../lake/runs/run-folder.ts'
import { BlockFileWriter } from './blocks/block-file-writer.ts'
import { storedColumns } from './blocks/stored-columns.ts'
import { type IndexFile, indexFolder, isIndexFile, olderFolders, placeOf } from './folder.ts'
import type { BuildOptions } from './maintenance/derived.ts'
import { withScratchWriter } from './maintenance/with-scratch-writer.ts'
import { FIRST_ROW } from './orders.ts'

interface BuildRequest extends BuildOptions {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<FileRowsReader>
}

/**
 * Writes index files, one after the other, and removes what killed builders left. Each appears whole or not at all.
 * Errors: Error when the folder cannot be written; those of the reader.
 */
export async function buildBlocks(lacking: readonly IndexFile[], request: BuildRequest): Promise<void> {
  const building = join(indexFolder(request.stateFolder), 'building')
  if (lacking.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, request.openWriter, request.signal, async (reader, scratch) => {
    let reported = ''
    for (const one of lacking) {
      request.signal?.throwIfAborted()
      const sentence = sentenceFor(one)
      if (sentence !== reported) request.onProgress?.(sentence)
      reported = sentence
      const target = placeOf(request.stateFolder, one)
      const path = join(scratch, basename(target))
      await writeBlocks(path, one, reader)
      await mkdir(dirname(target), { recursive: true })
      await rename(path, target)
    }
  })
}

function sentenceFor({ resource: { name }, by }: IndexFile): string {
  return by === undefined
    ? `laying out the rows of ${name} for pages and lookups`
    : `sorting ${name} by ${by.column} for filters`
}

/** Writes one index file. Errors: those of the reader. */
export async function writeBlocks(path: string, one: IndexFile, reader: FileRowsReader): Promise<void> {
  const { resource, source } = one
  const writer = await BlockFileWriter.create(path, resource, source)
  try {
    for await (const rows of rowsOf(one, reader)) await writer.append(rows)
    await writer.finish()
  } catch (error) {
    await writer.close().catch(() => {})
    throw error
  }
}

/** The rows that an index has, in its order, read from the data files. */
export function rowsOf(
  { resource, files, by }: IndexFile,
  reader: FileRowsReader,
): AsyncIterable<RowVectors> {
  const columns = storedColumns(resource).map(({ name }) => name)
  const [file] = files
  if (file === undefined) throw new Error(`an index of ${resource.name} has no data file`)
  return by === undefined
    ? reader.readFileRows(resource, file, columns)
    : reader.readSortedRows(resource, files, by.as === 'pointers' ? FIRST_ROW : undefined)
}

/** Removes the index files that are none of those wanted, and the folders of older releases. Readers have theirs open. */
export async function removeOthers(stateFolder: string, wanted: readonly IndexFile[]): Promise<void> {
  const kept = new Set(wanted.map((one) => placeOf(stateFolder, one)))
  for (const path of await indexPaths(stateFolder))
    if (!kept.has(path)) await rm(path, { recursive: true, force: true }).catch(() => {})
  for (const name of olderFolders)
    await rm(join(stateFolder, name), { recursive: true, force: true }).catch(() => {})
}

/** All index files that are there, whatever they were made of. */
export async function indexPaths(stateFolder: string): Promise<readonly string[]> {
  const paths: string[] = []
  const folder = indexFolder(stateFolder)
  for (const table of await readdir(folder).catch(() => [])) {
    if (table === 'building') continue
    for (const name of (await readdir(join(folder, table)).catch(() => [])).sort())
      if (isIndexFile(name)) paths.push(join(folder, table, name))
  }
  return paths
}
