import { bigintOf, type Value } from '../../catalog/column.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Row } from '../../catalog/resource.ts'
import { compareBounds } from '../../lake/facts/chunk-match.ts'
import { compareGroups, type GroupKey, groupColumns } from '../../lake/facts/group-series.ts'
import { compareBytes } from '../../lake/facts/source.ts'
import type { Blocks } from '../blocks/block-file.ts'
import { BlockReading } from '../blocks/block-reading.ts'
import type { Covering } from './cover.ts'
import { type Digest, digestOfKey } from './key-directory.ts'
import type { KeyFile } from './key-file.ts'

/** A place in the order of the table; rows without a key come before those with one. */
export interface KeyedPlace {
  readonly group: GroupKey
  readonly key: string | null
  readonly ordinal: bigint
}

/** Rows of one key, in the order of the table. */
export interface RowsOfKey {
  readonly total: number
  /** Rows `start` up to but not including `end`, with all columns. Errors: DamagedFile. */
  read(start: number, end: number): readonly Row[]
  /** How many rows come before a place; `included` counts the row at the place too. */
  before(index: KeyedPlace, included: boolean): number
}

/** A row of a file by its number in it. */
interface Found {
  readonly reading: Reading
  readonly row: number
  readonly group: GroupKey
  readonly ordinal: bigint
}

interface Reading {
  readonly file: KeyFile
  readonly blocks: BlockReading<Blocks>
}

/** Errors: DamagedFile. */
export function rowsOfKey(coverings: readonly Covering[], key: string, range: GroupRange): RowsOfKey {
  const digest = digestOfKey(key)
  const rows = coverings.flatMap((covering) => findIn(covering, digest, range))
  // Rows of one file lie in the order of the table.
  if (coverings.length > 1)
    rows.sort((a, b) => compareGroups(a.group, b.group) || compareBounds(a.ordinal, b.ordinal))
  return {
    total: rows.length,
    read: (start, end) => rows.slice(start, end).map((one) => rowOf(one, key)),
    before(index, included) {
      const isBefore = ({ group, ordinal }: Found) => {
        const difference =
          compareGroups(group, index.group) ||
          (index.key === null ? 1 : compareBytes(key, index.key)) ||
          compareBounds(ordinal, index.ordinal)
        return difference < 0 || (included && difference === 0)
      }
      return rows.filter(isBefore).length
    },
  }
}

function findIn({ file, isOf }: Covering, digest: Digest, range: GroupRange): readonly Found[] {
  const ofKey = file.blocksOf(digest)
  if (ofKey === undefined) return []
  const { blocks, contents } = file
  const reading = { file, blocks: new BlockReading(blocks) }
  const { first, end } = file.groupsIn(range)
  const ordinal = blocks.numberOf('ordinal')
  const matching: Found[] = []
  const rows = blocks.firstRowOf(ofKey.end)
  for (let row = blocks.firstRowOf(ofKey.first); row < rows; row += 1) {
    const number = Number(reading.blocks.value(0, row))
    const group = contents.groups[number]
    if (group === undefined || number < first || number >= end || isOf[number] !== 1) continue
    if (range.type !== undefined && group.type !== range.type) continue
    const value = ordinal < 0 ? group.common.ordinal : reading.blocks.value(ordinal, row)
    matching.push({ reading, row, group, ordinal: bigintOf(value ?? 0n) })
  }
  return matching
}

function rowOf({ reading, row, group }: Found, key: string): Row {
  const { file, blocks } = reading
  const { resource, contents } = file
  const values: Record<string, Value> = { [resource.keyed ?? '']: key }
  for (const [column, part] of Object.entries(groupColumns(resource))) values[column] = group[part]
  const common: Row = contents.groups[Number(blocks.value(0, row))]?.common ?? {}
  for (const name of Object.keys(resource.columns)) {
    if (name in values) continue
    const column = file.blocks.numberOf(name)
    values[name] = column < 0 ? (common[name] ?? null) : blocks.value(column, row)
  }
  return values
}
