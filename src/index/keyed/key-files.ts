import type { ContentReader, KeyedGroup } from '../../lake/ports/content-reader.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { BlockCache } from '../blocks/block-cache.ts'
import { derivedFile } from '../derived-file.ts'
import { keyPaths, tableKeysFolder } from '../folder.ts'
import { differenceOfSums, onceByKey } from '../maintenance/compare-sums.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import { groupAt } from './amounts-of-keys.ts'
import { readAmounts } from './block-amounts.ts'
import { type Contents, groupText, MAGIC } from './contents.ts'
import { type Covering, coverOf } from './cover.ts'
import { digestOfKey } from './key-directory.ts'
import { type KeyFile, openKeyFile } from './key-file.ts'
import { Halves } from './key-sums.ts'
import { keysOf } from './key-texts.ts'
import { Sums } from './plane-sums.ts'

const CACHE_BYTES = 2 ** 22

/** The indexes by key of some tables that are in the state folder. */
export async function keyFiles(
  stateFolder: string,
  tables: readonly TableSnapshot[],
): Promise<readonly DerivedFile[]> {
  const files: DerivedFile[] = []
  for (const table of tables) {
    const { resource } = table
    const sumKeyed = onceByKey((reader: ContentReader) => reader.sumKeyed(resource, table.files))
    for (const path of await keyPaths(tableKeysFolder(stateFolder, table))) {
      const open = () => openKeyFile(path, resource, new BlockCache(CACHE_BYTES))
      files.push(
        derivedFile<Contents, KeyFile>(path, {
          magic: MAGIC,
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
    const keys = keysOf(file, [...Array(count).keys()])
    const isOrdered = keys.every((key, number) => {
      const digest = digestOfKey(key)
      return words.every((word, index) => word[number] === digest[index])
    })
    return isOrdered ? undefined : 'has hotspots in another order than it says'
  } finally {
    file.close()
  }
}

/** Rows and sums of each group that the file answers for, and what all hotspots earned by its planes. */
async function differenceOf(
  file: KeyFile,
  table: TableSnapshot,
  sumKeyed: () => Promise<readonly KeyedGroup[]>,
): Promise<string | undefined> {
  const [covering] = coverOf(table, [file]).coverings
  if (covering === undefined) return undefined
  const keyed = await sumKeyed()
  return (
    differenceOfSums(sumsOfRows(covering), sumsOfLake(covering, keyed)) ??
    differenceOfSums(sumsOfPlanes(covering), earnedOfLake(covering, keyed))
  )
}

const amountsOf = ({ resource }: KeyFile) =>
  Object.entries(resource.columns).flatMap(([name, { kind }]) => (kind === 'amount' ? [name] : []))

/** Number of rows and sums of amounts of each group that has rows. */
function sumsOfRows({ file, isOf }: Covering): ReadonlyMap<string, readonly bigint[]> {
  const { blocks, contents } = file
  const names = amountsOf(file)
  const numbers = names.map(blocks.numberOf)
  const width = names.length + 1
  const halves = new Halves(contents.groups.length * width)
  const stored = numbers.filter((number) => number >= 0)
  for (let first = 0; first < contents.rows; ) {
    const block = blocks.blockOf(first)
    const rows = blocks.firstRowOf(block + 1) - first
    const { groups, amounts } = readAmounts(blocks.bytesOf(block), rows, blocks.columns.length, stored)
    halves.expect(rows)
    for (let row = 0; row < rows; row += 1) {
      const at = groupAt(groups, row) * width
      halves.add(at, 1, 0)
      for (const [index, number] of numbers.entries()) {
        const column = amounts[stored.indexOf(number)]
        if (column !== undefined)
          halves.add(at + 1 + index, column[row * 2] as number, column[row * 2 + 1] as number)
      }
    }
    first += rows
  }
  halves.settle()
  const sums = new Map<string, readonly bigint[]>()
  for (const [number, group] of contents.groups.entries()) {
    const [rows = 0n, ...ofRows] = halves.sums.slice(number * width, (number + 1) * width)
    if (isOf[number] !== 1 || rows === 0n) continue
    const whole = ofRows.map((sum, index) => {
      const shared = (numbers[index] as number) < 0 ? (group.common[names[index] ?? ''] ?? 0n) : 0n
      return sum + BigInt(shared as bigint) * rows
    })
    sums.set(groupText(group), [rows, ...whole])
  }
  return sums
}

function sumsOfLake({ file, isOf }: Covering, groups: readonly KeyedGroup[]) {
  const covered = file.contents.groups.filter((_, number) => isOf[number] === 1)
  const names = new Set(covered.map(groupText))
  const amounts = amountsOf(file)
  const sums = new Map<string, readonly bigint[]>()
  for (const group of groups) {
    const name = groupText(group)
    if (names.has(name)) sums.set(name, [BigInt(group.rows), ...amounts.map((one) => group.sums[one] ?? 0n)])
  }
  return sums
}

/** The sum over all hotspots of each plane; none of a file that does not answer for all of its groups. */
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
    const ofPlane = file.contents.planes.filter((one) => one.type === type && one.month === month)
    const periods = new Set(period === null ? ofPlane.map((one) => one.period) : [period])
    const sources = new Set(file.contents.groups.map(groupText))
    const ofPeriods = groups.filter(
      (group) => group.type === type && periods.has(`${group.period}`) && sources.has(groupText(group)),
    )
    const earned = ofPeriods.flatMap((group) => file.contents.summed.map((name) => group.sums[name] ?? 0n))
    sums.set(`${period ?? month} ${type}`, [earned.reduce((sum, amount) => sum + amount, 0n)])
  }
  return sums
}
