import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ContentReader } from '../lake/ports/content-reader.ts'
import { type BlockFile, openBlockFile } from './blocks/block-file.ts'
import { BLOCK_ROWS, BLOCKS_MAGIC, type BlockFileContents } from './blocks/block-layout.ts'
import { BlockReading } from './blocks/block-reading.ts'
import { readIndexRows } from './build-block-files.ts'
import { createDerivedFile } from './create-derived-file.ts'
import { type IndexFile, indexPath, listIndexPaths } from './index-file.ts'
import type { DerivedFile } from './maintenance/derived.ts'

/** Lists the block files in the state folder for verification. */
export async function listBlockFiles(
  stateFolder: string,
  indexes: readonly IndexFile[],
): Promise<readonly DerivedFile[]> {
  const byPath = new Map(indexes.map((index) => [indexPath(stateFolder, index), index]))
  return (await listIndexPaths(stateFolder)).map((path) => {
    const index = byPath.get(path)
    return createDerivedFile<BlockFileContents, BlockFile>(path, {
      magic: BLOCKS_MAGIC,
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

/** Compares every value with the data files of the index. */
async function differenceOf(
  blocks: BlockFile,
  index: IndexFile,
  reader: ContentReader,
): Promise<string | undefined> {
  const { by, files, resource } = index
  // Verification of the lake reports a missing data file.
  if (!files.every(({ path }) => existsSync(path))) return undefined
  const origin = by === undefined ? files[0]?.path : resource.name
  let row = 0
  let reading = new BlockReading(blocks)
  for await (const { rows, columns } of readIndexRows(index, reader)) {
    if (row + rows > blocks.rows) break
    for (let inBatch = 0; inBatch < rows; inBatch += 1, row += 1) {
      if (row % BLOCK_ROWS === 0) reading = new BlockReading(blocks)
      for (const [column, { name }] of blocks.columns.entries()) {
        const [value, expected] = [reading.value(column, row), columns[name]?.at(inBatch) ?? null]
        if (value !== expected && !isDeepStrictEqual(value, expected))
          return `row ${row} has another ${name} than ${origin}`
      }
    }
  }
  return row === blocks.rows ? undefined : `it has ${blocks.rows} rows, ${origin} another number`
}
