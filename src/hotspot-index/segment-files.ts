import { join } from 'node:path'
import { bigintOf } from '../catalog/column.ts'
import { amountColumns } from '../catalog/resource.ts'
import type { ContentReader } from '../lake/content-reader.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { differenceOfSums } from '../maintenance/compare-sums.ts'
import type { DerivedFile } from '../maintenance/derived.ts'
import { keyedFiles } from '../maintenance/keyed-files.ts'
import { newestFirst } from '../maintenance/versions.ts'
import { openMemory, readRows } from './block-rows.ts'
import { groupText, wantedOf } from './contents.ts'
import { hasIntactBlocks, isComplete, openIfIntact, segmentsFolder } from './folder.ts'
import { prepare } from './opened.ts'
import { isOfOtherRelease, type Segment } from './segment.ts'

/** The segments of some tables that are in the state folder. */
export function segmentFiles(
  stateFolder: string,
  tables: readonly TableSnapshot[],
): Promise<readonly DerivedFile[]> {
  const pathsOf = ({ resource }: TableSnapshot) =>
    newestFirst(join(segmentsFolder(stateFolder), resource.name), (name) => name.endsWith('.segment'))
  return keyedFiles(tables, { pathsOf, faultOf, differenceOf })
}

function faultOf(path: string): string | undefined {
  const segment = openIfIntact(path)
  if (segment === undefined) return isOfOtherRelease(path) ? undefined : 'is damaged'
  const isIntact = hasIntactBlocks(segment)
  segment.close()
  return isIntact ? undefined : 'has a block without its checksum'
}

/** Only the segment that answers are read from can be held against the newest files. */
async function differenceOf(
  path: string,
  table: TableSnapshot,
  sumKeyed: () => ReturnType<ContentReader['sumKeyed']>,
): Promise<string | undefined> {
  const segment = openIfIntact(path)
  try {
    if (segment === undefined) return undefined
    const wanted = wantedOf(table).find(({ year }) => year === segment.contents.year)
    if (wanted === undefined || !isComplete(segment, table, wanted)) return undefined
    const names = new Set(wanted.groups.map(groupText))
    const columns = amountColumns(table.resource)
    const groups = (await sumKeyed()).map(
      (group) =>
        [groupText(group), [BigInt(group.rows), ...columns.map((name) => group.sums[name] ?? 0n)]] as const,
    )
    return differenceOfSums(
      sumsOf(segment, table, columns),
      new Map(groups.filter(([name]) => names.has(name))),
    )
  } finally {
    segment?.close()
  }
}

/** Number of rows and sums of each group that has rows, over all hotspots. */
function sumsOf(
  segment: Segment,
  { resource }: TableSnapshot,
  names: readonly string[],
): Map<string, bigint[]> {
  const { layout, columns } = prepare(resource, segment)
  const numbers = names.map((name) => columns.indexOf(name))
  const sums = layout.groups.map(() => [0n, ...names.map(() => 0n)])
  for (const { rows } of segment.blocks())
    readRows(rows, layout, openMemory(layout), (_, group, tokenOf) => {
      const own = sums[group]
      if (own === undefined) return
      own[0] = (own[0] ?? 0n) + 1n
      for (const [place, number] of numbers.entries())
        own[place + 1] = (own[place + 1] ?? 0n) + bigintOf(tokenOf(number) ?? 0n)
    })
  const named = layout.groups.map((group, place) => [groupText(group), sums[place] ?? []] as const)
  return new Map(named.filter(([, [rows]]) => rows !== 0n).map(([name, own]) => [name, [...own]]))
}
