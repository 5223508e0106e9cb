import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'
import type { TableSnapshot } from '../../lake/snapshot.ts'
import { newestFirst } from '../../maintenance/versions.ts'
import type { BlockCache } from '../block-cache.ts'
import { type KeyFile, openKeyFile } from './key-file.ts'

export function keysFolder(stateFolder: string): string {
  return join(stateFolder, 'by-key')
}

export function tableKeysFolder(stateFolder: string, { resource }: Pick<TableSnapshot, 'resource'>): string {
  return join(keysFolder(stateFolder), resource.name)
}

/** Paths of the indexes of a table. */
export async function keyPaths(folder: string): Promise<readonly string[]> {
  return await newestFirst(folder, (name) => name.endsWith('.keys'))
}

/** Undefined when it cannot be read, is damaged, or is of another table; blocks are checked later, when they are read. */
export function openIfIntact(path: string, resource: Resource, cache: BlockCache): KeyFile | undefined {
  try {
    return openKeyFile(path, resource, cache)
  } catch {
    return undefined
  }
}
