import { mkdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileRowsReader, RowVectors } from '../lake/ports/file-rows-reader.ts'
import type { OpenWriter } from '../lake/ports/open-writer.ts'
import { removeAbandoned } from '../lake/runs/run-folder.ts'
import { BlockFileWriter } from './blocks/block-file-writer.ts'
import { toStoredColumns } from './blocks/stored-columns.ts'
import { type IndexFile, indexFolder, indexPath } from './index-file.ts'
import type { BuildOptions } from './maintenance/derived.ts'
import { withScratchWriter } from './maintenance/with-scratch-writer.ts'
import { FIRST_ROW } from './orders.ts'

export interface BuildRequest extends BuildOptions {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<FileRowsReader>
}

/**
 * Writes index files one by one and renames each into place. Removes the scratch folders of killed builders.
 * Errors: Error when the folder cannot be written; those of the reader.
 */
export async function buildBlockFiles(
  indexes: readonly IndexFile[],
  { stateFolder, openWriter, signal, onProgress }: BuildRequest,
): Promise<void> {
  const building = join(indexFolder(stateFolder), 'building')
  if (indexes.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, openWriter, signal, async (reader, scratch) => {
    let reported = ''
    for (const index of indexes) {
      signal?.throwIfAborted()
      const sentence = progressOf(index)
      if (sentence !== reported) onProgress?.(sentence)
      reported = sentence
      const target = indexPath(stateFolder, index)
      const path = join(scratch, basename(target))
      await writeBlockFile(path, index, reader)
      await mkdir(dirname(target), { recursive: true })
      await rename(path, target)
    }
  })
}

function progressOf({ resource: { name }, by }: IndexFile): string {
  return by === undefined
    ? `laying out the rows of ${name} for pages and lookups`
    : `sorting ${name} by ${by.column} for filters`
}

/** Errors: those of the reader. */
export async function writeBlockFile(path: string, index: IndexFile, reader: FileRowsReader): Promise<void> {
  const writer = await BlockFileWriter.create(path, index.resource, index.source)
  try {
    for await (const rows of readIndexRows(index, reader)) await writer.append(rows)
    await writer.finish()
  } catch (error) {
    await writer.close().catch(() => {})
    throw error
  }
}

/** Reads the rows of an index from its data files, in index order. */
export function readIndexRows(
  { resource, files, by }: IndexFile,
  reader: FileRowsReader,
): AsyncIterable<RowVectors> {
  const columns = toStoredColumns(resource).map(({ name }) => name)
  const [file] = files
  if (file === undefined) throw new Error(`an index of ${resource.name} has no data file`)
  return by === undefined
    ? reader.readFileRows(resource, file, columns)
    : reader.readSortedRows(resource, files, by.as === 'pointers' ? FIRST_ROW : undefined)
}
