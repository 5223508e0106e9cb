import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ContentReader } from '../lake/ports/content-reader.ts'
import { type BlockFile, openBlockFile } from './blocks/block-file.ts'
import { BLOCK_ROWS, type Contents, MAGIC } from './blocks/block-layout.ts'
import { BlockReading } from './blocks/block-reading.ts'
import { indexPaths, rowsOf } from './build-blocks.ts'
import { derivedFile } from './derived-file.ts'
import { type IndexFile, placeOf } from './folder.ts'
import type { DerivedFile } from './maintenance/derived.ts'

/** The files of row indexes that are in the state folder. */
export async function blockFiles(
  stateFolder: string,
  indexes: readonly IndexFile[],
): Promise<readonly DerivedFile[]> {
  const byPath = new Map(indexes.map((index) => [placeOf(stateFolder, index), index]))
  return (await indexPaths(stateFolder)).map((path) => {
    const index = byPath.get(path)
    return derivedFile<Contents, BlockFile>(path, {
      magic: MAGIC,
      partsOf: ({ fences }) => (fences === null ? [] : [fences]),
      faultOf: ({ table, source }) =>
        table === basename(dirname(path)) && basename(path).includes(`-${source}.`)
          ? undefined
          : 'has the rows of another file than its name says',
      open: index && (() => openBlockFile(path, index.resource, index.source)),
      differenceOf: async (blocks, reader) => index && (await differenceOf(blocks, index, reader)),
    })
  })
}

/** Compares every value of every row with those of the data files that the index was made of. */
async function differenceOf(
  blocks: BlockFile,
  index: IndexFile,
  reader: ContentReader,
): Promise<string | undefined> {
  const { by, files, resource } = index
  // That a data file is gone is a finding about the file itself.
  if (!files.every(({ path }) => existsSync(path))) return undefined
  const whose = by === undefined ? files[0]?.path : resource.name
  const names = blocks.columns.map(({ name }) => name)
  let row = 0
  let reading = new BlockReading(blocks)
  for await (const { rows, columns } of rowsOf(index, reader)) {
    if (row + rows > blocks.rows) break
    for (let inBatch = 0; inBatch < rows; inBatch += 1, row += 1) {
      if (row % BLOCK_ROWS === 0) reading = new BlockReading(blocks)
      for (const [column, name] of names.entries()) {
        const [value, expected] = [reading.value(column, row), columns[name]?.at(inBatch) ?? null]
        if (value !== expected && !isDeepStrictEqual(value, expected))
          return `row ${row} has another ${name} than ${whose}`
      }
    }
  }
  return row === blocks.rows ? undefined : `it has ${blocks.rows} rows, ${whose} another number`
}
