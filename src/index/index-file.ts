import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { digestOf } from '../lake/disk/disk.ts'
import type { DataFile } from '../lake/facts/data-file.ts'
import type { TableSnapshot } from '../lake/snapshot/snapshot.ts'
import { BLOCKS_MAGIC } from './blocks/block-layout.ts'
import { type ColumnOrder, listColumnOrders } from './orders.ts'

/** The index of one data file in file order, or of all data files of a table in the order of a column. */
export interface IndexFile {
  /** Declares the rows of the index and their order. */
  readonly resource: Resource
  readonly files: readonly DataFile[]
  /** Undefined for file order. */
  readonly by: ColumnOrder | undefined
  /** SHA-256 of the data file; for an index by a column, digest of all its sources. */
  readonly source: string
  /** Identifies the index within a snapshot: the path of the data file, or the source. */
  readonly key: string
}

const ENDING = '.blocks'
const KEYS_ENDING = '.keys'

/** Folders of older releases. */
const olderFolders = ['orders', 'row-blocks']
export const olderKeysFolders = ['hotspot-index', 'hotspot-sums']

export function indexFolder(stateFolder: string): string {
  return join(stateFolder, 'index')
}

/** Path of an index file. Its name contains the digest of its sources, so it never serves other rows. */
export function indexPath(stateFolder: string, { resource, by, source }: IndexFile): string {
  return join(indexFolder(stateFolder), resource.name, `${by?.column ?? 'list'}-${source}${ENDING}`)
}

export function fileIndex(resource: Resource, file: DataFile): IndexFile {
  return { resource, files: [file], by: undefined, source: file.sha256, key: file.path }
}

/** The indexes by column of a table version. */
export function columnIndexes({
  resource,
  files,
}: Pick<TableSnapshot, 'resource' | 'files'>): readonly IndexFile[] {
  const filled = files.filter(({ rows }) => rows > 0)
  if (filled.length === 0) return []
  const digests = filled.map(({ sha256 }) => sha256).sort()
  return listColumnOrders(resource).map((by): IndexFile => {
    const { as, column, resource: sorted } = by
    const source = digestOf(JSON.stringify([BLOCKS_MAGIC, resource.name, as, column, sorted.order, digests]))
    return { resource: by.resource, files: filled, by, source, key: source }
  })
}

/** Lists all index files in the state folder, current or not. */
export async function listIndexPaths(stateFolder: string): Promise<readonly string[]> {
  const paths: string[] = []
  const folder = indexFolder(stateFolder)
  for (const table of await readdir(folder).catch(() => [])) {
    if (table === 'building') continue
    for (const name of (await readdir(join(folder, table)).catch(() => [])).sort())
      if (name.endsWith(ENDING)) paths.push(join(folder, table, name))
  }
  return paths
}

/** Removes index files that are not in `indexes`, and the folders of older releases. Open files stay readable. */
export async function removeUnusedIndexes(stateFolder: string, indexes: readonly IndexFile[]): Promise<void> {
  const used = new Set(indexes.map((index) => indexPath(stateFolder, index)))
  const unused = (await listIndexPaths(stateFolder)).filter((path) => !used.has(path))
  for (const path of [...unused, ...olderFolders.map((name) => join(stateFolder, name))])
    await rm(path, { recursive: true, force: true }).catch(() => {})
}

export function keysFolder(stateFolder: string): string {
  return join(stateFolder, 'by-key')
}

export function tableKeysFolder(stateFolder: string, { resource }: Pick<TableSnapshot, 'resource'>): string {
  return join(keysFolder(stateFolder), resource.name)
}

/** Lists the indexes by key in the folder of a table, newest first. */
export async function listKeyPaths(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names
    .filter((name) => name.endsWith(KEYS_ENDING))
    .map(async (name) => {
      const path = join(folder, name)
      // Another process may have removed it meanwhile.
      return { path, mtime: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 }
    })
  return (await Promise.all(files)).sort((a, b) => b.mtime - a.mtime).map(({ path }) => path)
}
