import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileRowsReader } from '../lake/file-rows-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import { removeAbandoned } from '../lake/run-folder.ts'
import type { BuildOptions } from '../maintenance/derived.ts'
import { withScratchWriter } from '../maintenance/with-scratch-writer.ts'
import { BlockFileWriter } from './block-file-writer.ts'
import { blocksFolder, type FileToBlock, placeOf } from './folder.ts'
import { storedColumns } from './stored-columns.ts'

interface BuildRequest extends BuildOptions {
  readonly stateFolder: string
  readonly openWriter: OpenWriter<FileRowsReader>
}

/**
 * Writes the blocks of the files that lack them, one file after the other, and removes what killed builders left. Each appears whole
 * or not at all. Errors: Error when the folder cannot be written; those of the reader.
 */
export async function buildBlocks(lacking: readonly FileToBlock[], request: BuildRequest): Promise<void> {
  const building = join(blocksFolder(request.stateFolder), 'building')
  if (lacking.length === 0) return await removeAbandoned(building)
  await withScratchWriter(building, request.openWriter, request.signal, async (reader, scratch) => {
    let told = ''
    for (const one of lacking) {
      request.signal?.throwIfAborted()
      if (one.resource.name !== told)
        request.onProgress?.(`laying out the rows of ${one.resource.name} for pages and lookups`)
      told = one.resource.name
      const [path, place] = [join(scratch, basename(placeOf('', one))), placeOf(request.stateFolder, one)]
      try {
        await writeBlocks(path, one, reader)
      } catch (error) {
        if (one.file.isDerived && !existsSync(one.file.path)) continue
        throw error
      }
      await mkdir(dirname(place), { recursive: true })
      await rename(path, place)
    }
  })
}

async function writeBlocks(
  path: string,
  { resource, file }: FileToBlock,
  reader: FileRowsReader,
): Promise<void> {
  const writer = await BlockFileWriter.create(path, resource, file.sha256)
  try {
    const { keyed } = resource
    if (keyed !== undefined) writer.number(keyed, await reader.readTexts(resource, file, keyed))
    const names = storedColumns(resource).map(({ name }) => name)
    for await (const rows of reader.readFileRows(resource, file, names, keyed)) await writer.append(rows)
    await writer.finish()
  } catch (error) {
    await writer.close().catch(() => {})
    throw error
  }
}

/** Removes the blocks of files that are none of those named. Whoever reads them has them open. */
export async function removeOthers(stateFolder: string, wanted: readonly FileToBlock[]): Promise<void> {
  const kept = new Set(wanted.map((one) => placeOf(stateFolder, one)))
  const tables = await readdir(blocksFolder(stateFolder)).catch(() => [])
  for (const table of tables.filter((name) => name !== 'building')) {
    const folder = join(blocksFolder(stateFolder), table)
    for (const name of await readdir(folder).catch(() => []))
      if (!kept.has(join(folder, name)))
        await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}
