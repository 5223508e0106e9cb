import { createHash } from 'node:crypto'
import type { Resource } from '../catalog/resource.ts'
import type { ContentReader, KeyedGroup } from '../lake/content-reader.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { differenceOfSums } from '../maintenance/compare-sums.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import { keyedFiles } from '../maintenance/keyed-files.ts'
import { isComplete, sumPaths, tableSumsFolder } from './folder.ts'
import { type ColumnPart, type MonthFile, openMonthFile } from './month-file.ts'
import { Sums } from './sums.ts'
import { columnName, type WantedMonth, wantedMonths } from './wanted.ts'

/** The files of sums of some tables that are in the state folder. */
export function sumFiles(
  stateFolder: string,
  tables: readonly TableSnapshot[],
): Promise<readonly DerivedFile[]> {
  const pathsOf = (table: TableSnapshot) => sumPaths(tableSumsFolder(stateFolder, table))
  return keyedFiles(tables, { pathsOf, faultOf, differenceOf })
}

function faultOf(path: string): string | undefined {
  try {
    const file = openMonthFile(path)
    try {
      const { keys, hotspots } = file.contents
      for (const part of [...file.contents.columns, ...file.contents.totals]) file.read(part)
      const found = file.keysOf(Array.from({ length: hotspots }, (_, place) => place))
      const isOrdered = found.every((key, place) => isAt(file, key, place))
      return keys.length > 0 && !isOrdered ? 'has hotspots in another order than it says' : undefined
    } finally {
      file.close()
    }
  } catch {
    return 'is damaged'
  }
}

const orders = new WeakMap<MonthFile, ReturnType<MonthFile['order']>>()

function isAt(file: MonthFile, key: string, place: number): boolean {
  const order = orders.get(file) ?? file.order()
  orders.set(file, order)
  const digest = createHash('sha256').update(key).digest()
  return order.words.every((word, index) => word[place] === digest.readUInt32BE(index * 4))
}

/** Only a file that holds just what its month should can be held against the newest files. */
async function differenceOf(
  path: string,
  table: TableSnapshot,
  sumKeyed: () => ReturnType<ContentReader['sumKeyed']>,
): Promise<string | undefined> {
  const file = openMonthFile(path)
  try {
    const wanted = wantedMonths(table).find((month) => isComplete(file, month))
    if (wanted === undefined) return undefined
    const built = sumsOf(file)
    const lake = [...sumsOfLake(table.resource, wanted, await sumKeyed())]
    // A type of very many columns has no total.
    const types = new Set(wanted.columns.map(({ type }) => type))
    return differenceOfSums(built, new Map(lake.filter(([name]) => built.has(name) || !types.has(name))))
  } finally {
    file.close()
  }
}

/** The sum of each column over all hotspots, and of each total. */
function sumsOf(file: MonthFile): Map<string, readonly bigint[]> {
  const { hotspots, columns, totals } = file.contents
  const sumOf = (part: ColumnPart) => {
    const sums = new Sums(hotspots)
    sums.add(file.read(part))
    return [sums.all().reduce((sum: bigint, own) => sum + (own ?? 0n), 0n)]
  }
  return new Map([
    ...columns.map(
      (part) => [columnName({ period: BigInt(part.period), type: part.type }), sumOf(part)] as const,
    ),
    ...totals.map((part) => [part.type, sumOf(part)] as const),
  ])
}

function sumsOfLake(
  { earned = [] }: Resource,
  { columns }: WantedMonth,
  groups: readonly KeyedGroup[],
): Map<string, readonly bigint[]> {
  const names = new Set(columns.map(columnName))
  const sums = new Map<string, bigint>()
  for (const name of [...names, ...columns.map(({ type }) => type)]) sums.set(name, 0n)
  for (const group of groups) {
    const name = columnName(group)
    if (!names.has(name)) continue
    const own = earned.reduce((sum, column) => sum + (group.sums[column] ?? 0n), 0n)
    for (const key of [name, group.type]) sums.set(key, (sums.get(key) ?? 0n) + own)
  }
  return new Map([...sums].map(([name, sum]) => [name, [sum]]))
}
