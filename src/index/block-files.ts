import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ContentReader } from '../lake/content-reader.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import { type BlockFile, openBlockFile } from './block-file.ts'
import { BLOCK_ROWS, type Contents, MAGIC, openPartList, partAt } from './block-layout.ts'
import { BlockReading } from './block-reading.ts'
import { indexPaths, rowsOf } from './build-blocks.ts'
import { openParts } from './container.ts'
import { type IndexFile, placeOf } from './folder.ts'

/** The index files in the state folder; of those that were made of other data files only the bytes can be checked. */
export async function blockFiles(
  stateFolder: string,
  wanted: readonly IndexFile[],
): Promise<readonly DerivedFile[]> {
  const made = new Map(wanted.map((one) => [placeOf(stateFolder, one), one]))
  return (await indexPaths(stateFolder)).map((path): DerivedFile => {
    const of = made.get(path)
    return {
      path,
      fault: async () => faultOf(path),
      difference: async (reader) => (of === undefined ? undefined : await differenceOf(path, of, reader)),
      remove: () => rm(path, { force: true }),
    }
  })
}

/** Every part is read, whatever it was made of. */
function faultOf(path: string): string | undefined {
  try {
    const file = openParts(path, MAGIC)
    try {
      const { table, source, blocks, texts, fences }: Contents = JSON.parse(file.contents)
      const isNamed = table === basename(dirname(path)) && basename(path).includes(`-${source}.`)
      if (!isNamed) return 'has the rows of another file than its name says'
      for (const list of [blocks, ...Object.values(texts)]) {
        const parts = openPartList(file.read(list))
        for (const [place] of parts.starts.entries()) file.read(partAt(parts, place))
      }
      if (fences !== null) file.read(fences)
      return undefined
    } finally {
      file.close()
    }
  } catch {
    return 'is damaged'
  }
}

/** Compares every value of every row with those of the data files that the index was made of. */
async function differenceOf(
  path: string,
  one: IndexFile,
  reader: ContentReader,
): Promise<string | undefined> {
  // That a data file is gone is a finding about the file itself.
  if (!one.files.every((file) => existsSync(file.path))) return undefined
  const blocks = openOwn(path, one)
  if (blocks === undefined) return undefined
  const whose = one.by === undefined ? one.files[0]?.path : one.resource.name
  try {
    let row = 0
    const names = blocks.columns.map(({ name }) => name)
    let reading = new BlockReading(blocks)
    for await (const { rows, columns } of rowsOf(one, reader)) {
      if (row + rows > blocks.rows) break
      for (let own = 0; own < rows; own += 1, row += 1) {
        if (row % BLOCK_ROWS === 0) reading = new BlockReading(blocks)
        for (const [column, name] of names.entries()) {
          const [value, expected] = [reading.value(column, row), columns[name]?.at(own) ?? null]
          if (value !== expected && !isDeepStrictEqual(value, expected))
            return `row ${row} has another ${name} than ${whose}`
        }
      }
    }
    return row === blocks.rows ? undefined : `it has ${blocks.rows} rows, ${whose} another number`
  } finally {
    blocks.close()
  }
}

/** Undefined for a file of another release, which is built anew before it is used. Its bytes were checked before. */
function openOwn(path: string, { resource, source }: IndexFile): BlockFile | undefined {
  try {
    return openBlockFile(path, resource, source)
  } catch {
    return undefined
  }
}
