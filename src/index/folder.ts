import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { digestOf } from '../lake/disk/disk.ts'
import type { DataFile } from '../lake/facts/data-file.ts'
import type { TableSnapshot } from '../lake/snapshot/snapshot.ts'
import { MAGIC } from './blocks/block-layout.ts'
import { newestFirst } from './maintenance/versions.ts'
import { type ColumnOrder, columnOrdersOf } from './orders.ts'

/** The index of one data file in its own order, or of all data files of a table in the order of a column. */
export interface IndexFile {
  /** The rows of the index, in its order. */
  readonly resource: Resource
  readonly files: readonly DataFile[]
  /** Undefined for the order of the data file. */
  readonly by: ColumnOrder | undefined
  /** SHA-256 of the data file; or, of an index by a column, of all that it was made of. */
  readonly source: string
  /** Identifies it among the indexes of a snapshot: the path of the data file, or the source. */
  readonly key: string
}

export function indexFolder(stateFolder: string): string {
  return join(stateFolder, 'index')
}

/** Folders in which older releases kept rows once more, and the rows and sums of hotspots. */
export const olderFolders = ['orders', 'row-blocks']
export const olderKeysFolders = ['hotspot-index', 'hotspot-sums']

const ENDING = '.blocks'
const KEYS_ENDING = '.keys'

/** The file is named after what it was made of, so that a file of other rows is never taken for it. */
export function placeOf(stateFolder: string, { resource, by, source }: IndexFile): string {
  return join(indexFolder(stateFolder), resource.name, `${by?.column ?? 'list'}-${source}${ENDING}`)
}

export const isIndexFile = (name: string): boolean => name.endsWith(ENDING)

export function fileIndex(resource: Resource, file: DataFile): IndexFile {
  return { resource, files: [file], by: undefined, source: file.sha256, key: file.path }
}

/** The indexes by columns that a version of a table should have. */
export function columnIndexes({ resource, files }: TableSnapshot): readonly IndexFile[] {
  const filled = files.filter(({ rows }) => rows > 0)
  if (filled.length === 0) return []
  const digests = filled.map(({ sha256 }) => sha256).sort()
  return columnOrdersOf(resource).map((by): IndexFile => {
    const madeOf = [MAGIC, resource.name, by.as, by.column, digests]
    const source = digestOf(JSON.stringify(madeOf))
    return { resource: by.resource, files: filled, by, source, key: source }
  })
}

export function keysFolder(stateFolder: string): string {
  return join(stateFolder, 'by-key')
}

export function tableKeysFolder(stateFolder: string, { resource }: Pick<TableSnapshot, 'resource'>): string {
  return join(keysFolder(stateFolder), resource.name)
}

/** Paths of the indexes by key in the folder of a table. */
export async function keyPaths(folder: string): Promise<readonly string[]> {
  return await newestFirst(folder, (name) => name.endsWith(KEYS_ENDING))
}
