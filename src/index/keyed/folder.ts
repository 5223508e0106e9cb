import type { Resource } from '../../catalog/resource.ts'
import type { BlockCache } from '../block-cache.ts'
import { openIfIntact as openUnlessDamaged } from '../open-files.ts'
import { type KeyFile, openKeyFile } from './key-file.ts'

export { keyPaths, keysFolder, tableKeysFolder } from '../folder.ts'

export function openIfIntact(path: string, resource: Resource, cache: BlockCache): KeyFile | undefined {
  return openUnlessDamaged(() => openKeyFile(path, resource, cache))
}
