import { join } from 'node:path'
import type { Resource } from '../../../catalog/resource.ts'
import type { DataFile } from '../../../lake/facts/data-file.ts'
import type { FileRowsReader } from '../../../lake/ports/file-rows-reader.ts'
import { BlockCache } from '../../blocks/block-cache.ts'
import { type BlockFile, openBlockFile } from '../../blocks/block-file.ts'
import { writeBlockFile } from '../../build-block-files.ts'
import { fileIndex, indexPath } from '../../index-file.ts'

const CACHE_BYTES = 2 ** 24

/**
 * Opens the index in file order of each data file. A missing or outdated one is built in the scratch folder.
 * Errors: those of the reader.
 */
export async function openLists(
  resource: Resource,
  files: readonly DataFile[],
  stateFolder: string,
  scratch: string,
  reader: FileRowsReader,
): Promise<readonly BlockFile[]> {
  const cache = new BlockCache(CACHE_BYTES)
  const lists: BlockFile[] = []
  try {
    for (const file of files) {
      const open = (path: string) => openBlockFile(path, resource, file.sha256, cache, file.lacks)
      const list = fileIndex(resource, file)
      try {
        lists.push(open(indexPath(stateFolder, list)))
      } catch {
        const path = join(scratch, file.sha256)
        await writeBlockFile(path, list, reader)
        lists.push(open(path))
      }
    }
    return lists
  } catch (error) {
    for (const list of lists) list.close()
    throw error
  }
}
