import { firstAtLeast } from '../../base/values/first-index.ts'
import { uint32At } from '../../base/values/typed-at.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { BlockCache } from '../blocks/block-cache.ts'
import { type Blocks, openBlocks } from '../blocks/block-file.ts'
import { BlockReading } from '../blocks/block-reading.ts'
import { DamagedFile, openParts } from '../blocks/container.ts'
import {
  KEYS_MAGIC,
  type KeyFileContents,
  keyedStoredColumns,
  type PlanePart,
  readContents,
} from './key-file-contents.ts'
import { type Digest, findKey, type KeyOrder, readOrder } from './key-order.ts'
import type { PlaneColumn } from './plane.ts'

/** An open index by key. Its directory takes some 40 bytes of memory per key. Reading a key takes one read per block. */
export interface KeyFile {
  readonly path: string
  readonly resource: Resource
  readonly contents: KeyFileContents
  readonly blocks: Blocks
  readonly order: KeyOrder
  /** The blocks of a key; undefined if it has no rows. */
  blocksOfKey(digest: Digest): BlocksOfKey | undefined
  /** Group numbers of a range of periods, of all types. */
  groupsIn(range: GroupRange): { readonly first: number; readonly end: number }
  /** Errors: DamagedFile. */
  readPlane(part: PlanePart): PlaneColumn
  close(): void
}

/** Column number of the key in blocks. */
const KEY_COLUMN = 1

/** Block numbers, the end not included. */
interface BlocksOfKey {
  readonly first: number
  readonly end: number
}

/** Errors: DamagedFile; Error for an unreadable file, or one of another table or release. */
export function openKeyFile(path: string, resource: Resource, cache: BlockCache): KeyFile {
  return openParts(path, KEYS_MAGIC, (file) => {
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
      blocksOfKey(digest) {
        const key = findKey(order, digest)
        return key < 0
          ? undefined
          : { first: uint32At(firstBlocks, key), end: uint32At(firstBlocks, key + 1) }
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

/** Reads keys by their numbers. Errors: DamagedFile. */
export function readKeyTexts({ blocks }: KeyFile, numbers: readonly number[]): readonly string[] {
  const reading = new BlockReading(blocks)
  return numbers.map((number) => reading.textOf(KEY_COLUMN, number))
}
