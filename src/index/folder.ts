import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import type { FileToRead } from '../lake/data-file.ts'

/** A Parquet file whose rows are kept once more, in blocks: of the lake, or a sorted copy. */
export interface FileToBlock {
  readonly resource: Resource
  readonly file: Exclude<FileToRead, string> & {
    readonly sha256: string
    /** Whether it is a copy, which may be removed at any time. */
    readonly isDerived?: boolean
  }
}

export function blocksFolder(stateFolder: string): string {
  return join(stateFolder, 'row-blocks')
}

function tableBlocksFolder(stateFolder: string, table: string): string {
  return join(blocksFolder(stateFolder), table)
}

/**
 * A file of blocks is named by the digest of the file that it was made of, whose rows never change, and by the column that these are sorted by: a copy
 * may have the very bytes of its table, and is searched by another column.
 */
export function placeOf(stateFolder: string, { resource, file }: FileToBlock): string {
  return join(
    tableBlocksFolder(stateFolder, resource.name),
    `${file.sha256}-${resource.order[0]?.column}.blocks`,
  )
}
