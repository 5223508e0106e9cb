import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../catalog/resource.ts'
import type { ContentReader } from '../lake/content-reader.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import { type BlockFile, openBlockFile } from './block-file.ts'
import { BLOCK_ROWS, type Contents, MAGIC, openPartList, partAt } from './block-layout.ts'
import { BlockReading } from './block-reading.ts'
import { openParts } from './container.ts'
import { blocksFolder, type FileToBlock, placeOf } from './folder.ts'

/** The files of blocks that are in the state folder; of those that were made of other files only the bytes can be checked. */
export async function blockFiles(
  stateFolder: string,
  wanted: readonly FileToBlock[],
): Promise<readonly DerivedFile[]> {
  const made = new Map(wanted.map((one) => [placeOf(stateFolder, one), one]))
  const files: DerivedFile[] = []
  const tables = await readdir(blocksFolder(stateFolder)).catch(() => [])
  for (const table of tables.filter((name) => name !== 'building')) {
    const folder = join(blocksFolder(stateFolder), table)
    for (const name of (await readdir(folder).catch(() => [])).sort()) {
      const path = join(folder, name)
      const of = made.get(path)
      files.push({
        path,
        fault: async () => faultOf(path),
        difference: async (reader) => (of === undefined ? undefined : await differenceOf(path, of, reader)),
        remove: () => rm(path, { force: true }),
      })
    }
  }
  return files
}

/** Every part is read, whatever it was made of. */
function faultOf(path: string): string | undefined {
  try {
    const file = openParts(path, MAGIC)
    try {
      const { table, source, blocks, texts, fences }: Contents = JSON.parse(file.contents)
      const isNamed = table === basename(dirname(path)) && basename(path).startsWith(`${source}-`)
      if (source !== undefined && !isNamed) return 'has the rows of another file than its name says'
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

/** Every value of every row is compared with that of the file that they were made of. */
async function differenceOf(
  path: string,
  { resource, file }: FileToBlock,
  reader: ContentReader,
): Promise<string | undefined> {
  // That it is gone is told of the file itself.
  if (!existsSync(file.path)) return undefined
  const blocks = openOwn(path, resource, file.sha256)
  if (blocks === undefined) return undefined
  try {
    let row = 0
    const names = blocks.columns.map(({ name }) => name)
    let reading = new BlockReading(blocks)
    for await (const { rows, columns } of reader.readFileRows(resource, file, names)) {
      if (row + rows > blocks.rows) break
      for (let own = 0; own < rows; own += 1, row += 1) {
        if (row % BLOCK_ROWS === 0) reading = new BlockReading(blocks)
        for (const [column, name] of names.entries()) {
          const [value, expected] = [reading.value(column, row), columns[name]?.at(own) ?? null]
          if (value !== expected && !isDeepStrictEqual(value, expected))
            return `row ${row} has another ${name} than ${file.path}`
        }
      }
    }
    return row === blocks.rows ? undefined : `it has ${blocks.rows} rows, ${file.path} another number`
  } finally {
    blocks.close()
  }
}

/** Undefined for a file of another release, which is built anew before it is used. Its bytes were checked before. */
function openOwn(path: string, resource: Resource, source: string): BlockFile | undefined {
  try {
    return openBlockFile(path, resource, source)
  } catch {
    return undefined
  }
}
