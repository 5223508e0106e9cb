import { uint32At } from '../../base/values/typed-at.ts'
import { bigintOf } from '../../catalog/column.ts'
import type { ContentReader, KeyedGroup } from '../../lake/ports/content-reader.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { BlockCache } from '../blocks/block-cache.ts'
import { createDerivedFile } from '../create-derived-file.ts'
import { listKeyPaths, tableKeysFolder } from '../index-file.ts'
import { compareSums } from '../maintenance/compare-sums.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import { groupAt } from './amounts-of-keys.ts'
import { readAmounts } from './block-amounts.ts'
import { type Covering, findCover } from './cover.ts'
import { type KeyFile, openKeyFile, readKeyTexts } from './key-file.ts'
import { groupText, KEYS_MAGIC, type KeyFileContents } from './key-file-contents.ts'
import { digestOfKey } from './key-order.ts'
import { HalfSums } from './key-sums.ts'
import { Sums } from './plane-sums.ts'

const CACHE_BYTES = 2 ** 22

/** Lists the indexes by key in the state folder for verification. */
export async function listKeyFiles(
  stateFolder: string,
  tables: readonly TableSnapshot[],
): Promise<readonly DerivedFile[]> {
  const files: DerivedFile[] = []
  for (const table of tables) {
    const { resource } = table
    let sums: Promise<readonly KeyedGroup[]> | undefined
    // All files of a table are compared with the same sums.
    const sumKeyed = (reader: ContentReader) => {
      sums ??= reader.sumKeyed(resource, table.files)
      return sums
    }
    for (const path of await listKeyPaths(tableKeysFolder(stateFolder, table))) {
      const open = () => openKeyFile(path, resource, new BlockCache(CACHE_BYTES))
      files.push(
        createDerivedFile<KeyFileContents, KeyFile>(path, {
          magic: KEYS_MAGIC,
          partsOf: ({ planes, order, firstBlocks }) => [...planes, order, firstBlocks],
          faultOf: () => faultOf(open()),
          open,
          differenceOf: (file, reader) => differenceOf(file, table, () => sumKeyed(reader)),
        }),
      )
    }
  }
  return files
}

function faultOf(file: KeyFile): string | undefined {
  try {
    const { keys: count, words } = file.order
    const keys = readKeyTexts(file, [...Array(count).keys()])
    const isOrdered = keys.every((key, number) => {
      const digest = digestOfKey(key)
      return words.every((word, index) => word[number] === digest[index])
    })
    return isOrdered ? undefined : 'has hotspots in another order than it says'
  } finally {
    file.close()
  }
}

/** Compares rows and sums of each covered group, and the totals of the planes. */
async function differenceOf(
  file: KeyFile,
  table: TableSnapshot,
  sumKeyed: () => Promise<readonly KeyedGroup[]>,
): Promise<string | undefined> {
  const [covering] = findCover(table, [file]).coverings
  if (covering === undefined) return undefined
  const keyed = await sumKeyed()
  return (
    compareSums(sumsOfRows(covering), sumsOfLake(covering, keyed)) ??
    compareSums(sumsOfPlanes(covering), earnedOfLake(covering, keyed))
  )
}

const amountsOf = ({ resource }: KeyFile) =>
  Object.entries(resource.columns).flatMap(([name, { kind }]) => (kind === 'amount' ? [name] : []))

/** Returns the row count and the sums of amounts of each group with rows. */
function sumsOfRows({ file, isCovered }: Covering): ReadonlyMap<string, readonly bigint[]> {
  const { blocks, contents } = file
  const names = amountsOf(file)
  const numbers = names.map(blocks.numberOf)
  const width = names.length + 1
  const halves = new HalfSums(contents.groups.length * width)
  const stored = numbers.filter((number) => number >= 0)
  for (let first = 0; first < contents.rows; ) {
    const block = blocks.blockOf(first)
    const rows = blocks.firstRowOf(block + 1) - first
    const { groups, amounts } = readAmounts(blocks.bytesOf(block), rows, blocks.columns.length, stored)
    halves.reserve(rows)
    for (let row = 0; row < rows; row += 1) {
      const at = groupAt(groups, row) * width
      halves.add(at, 1, 0)
      for (const [index, number] of numbers.entries()) {
        const column = amounts[stored.indexOf(number)]
        if (column !== undefined)
          halves.add(at + 1 + index, uint32At(column, row * 2), uint32At(column, row * 2 + 1))
      }
    }
    first += rows
  }
  halves.settle()
  const sums = new Map<string, readonly bigint[]>()
  for (const [number, group] of contents.groups.entries()) {
    const [rows = 0n, ...amounts] = halves.sums.slice(number * width, (number + 1) * width)
    if (isCovered[number] !== 1 || rows === 0n) continue
    const whole = amounts.map((sum, index) => {
      const shared = numbers[index] === -1 ? (group.common[names[index] ?? ''] ?? 0n) : 0n
      return sum + bigintOf(shared) * rows
    })
    sums.set(groupText(group), [rows, ...whole])
  }
  return sums
}

function sumsOfLake({ file, isCovered }: Covering, groups: readonly KeyedGroup[]) {
  const covered = file.contents.groups.filter((_, number) => isCovered[number] === 1)
  const names = new Set(covered.map(groupText))
  const amounts = amountsOf(file)
  const sums = new Map<string, readonly bigint[]>()
  for (const group of groups) {
    const name = groupText(group)
    if (names.has(name))
      sums.set(name, [BigInt(group.rows), ...amounts.map((column) => group.sums[column] ?? 0n)])
  }
  return sums
}

/** Returns the total of each plane; empty for a file that covers only some of its groups. */
function sumsOfPlanes({ file, isWhole }: Covering): ReadonlyMap<string, readonly bigint[]> {
  const sums = new Map<string, readonly bigint[]>()
  for (const part of isWhole ? file.contents.planes : []) {
    const added = new Sums(file.order.keys)
    added.add(file.readPlane(part))
    sums.set(`${part.period ?? part.month} ${part.type}`, [added.total()])
  }
  return sums
}

function earnedOfLake({ file, isWhole }: Covering, groups: readonly KeyedGroup[]) {
  const sums = new Map<string, readonly bigint[]>()
  for (const { period, month, type } of isWhole ? file.contents.planes : []) {
    const monthPlanes = file.contents.planes.filter((plane) => plane.type === type && plane.month === month)
    const periods = new Set(period === null ? monthPlanes.map((plane) => plane.period) : [period])
    const sources = new Set(file.contents.groups.map(groupText))
    const covered = groups.filter(
      (group) => group.type === type && periods.has(`${group.period}`) && sources.has(groupText(group)),
    )
    const earned = covered.flatMap((group) => file.contents.summed.map((name) => group.sums[name] ?? 0n))
    sums.set(`${period ?? month} ${type}`, [earned.reduce((sum, amount) => sum + amount, 0n)])
  }
  return sums
}
