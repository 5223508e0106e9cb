import { firstAtLeast } from '../../base/values/first-index.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { BlockCache } from '../blocks/block-cache.ts'
import { type Blocks, openBlocks } from '../blocks/block-file.ts'
import { DamagedFile, openParts } from '../blocks/container.ts'
import { type Contents, keyedStoredColumns, MAGIC, type PlanePart, readContents } from './contents.ts'
import { type Digest, findKey, type KeyOrder, readOrder } from './key-directory.ts'
import type { Column } from './plane.ts'

/** An open index by key. Its directory is in memory, some 40 bytes a key; the rows of a key are one short read. */
export interface KeyFile {
  readonly path: string
  readonly resource: Resource
  readonly contents: Contents
  readonly blocks: Blocks
  readonly order: KeyOrder
  /** The blocks of the key with a digest; undefined if it has no rows. */
  blocksOf(digest: Digest): BlocksOfKey | undefined
  /** The numbers of the groups of a range of periods, whatever their types. */
  groupsIn(range: GroupRange): { readonly first: number; readonly end: number }
  /** Errors: DamagedFile. */
  readPlane(part: PlanePart): Column
  close(): void
}

/** Numbers of blocks, the end not included. */
interface BlocksOfKey {
  readonly first: number
  readonly end: number
}

/** Errors: DamagedFile; Error when it cannot be read, or is of another table or release. */
export function openKeyFile(path: string, resource: Resource, cache: BlockCache): KeyFile {
  return openParts(path, MAGIC, (file) => {
    const contents = readContents(resource, file.contents)
    if (contents.table !== resource.name) throw new Error(`${path} is an index of another table`)
    const { rows, stored, texts } = contents
    const columns = keyedStoredColumns(resource, stored)
    const blocks = openBlocks(file, { rows, columns, blocks: contents.blocks, texts }, cache)
    const order = readOrder(file.read(contents.order))
    const bytes = file.read(contents.firstBlocks)
    const firstBlocks = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2)
    if (firstBlocks.length !== order.keys + 1) throw new DamagedFile(path)
    const periods = contents.groups.map(({ period }) => period)
    return {
      ...{ path, resource, contents, blocks, order },
      blocksOf(digest) {
        const key = findKey(order, digest)
        return key < 0
          ? undefined
          : { first: firstBlocks[key] as number, end: firstBlocks[key + 1] as number }
      },
      groupsIn: ({ from, to }) => ({
        first: firstAtLeast(periods, from),
        end: firstAtLeast(periods, to + 1n),
      }),
      readPlane: (part) => ({ width: part.width, exceptions: part.exceptions, bytes: file.read(part) }),
      close: () => file.close(),
    }
  })
}
