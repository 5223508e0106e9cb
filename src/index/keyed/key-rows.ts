import { bigintOf, type Value } from '../../catalog/column.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { Row } from '../../catalog/resource.ts'
import { compareBounds } from '../../lake/facts/chunk-match.ts'
import { compareGroups, type GroupKey, groupColumns } from '../../lake/facts/group-series.ts'
import { compareBytes } from '../../lake/facts/source.ts'
import type { RowVectors } from '../../lake/ports/file-rows-reader.ts'
import type { Blocks } from '../blocks/block-file.ts'
import { BlockReading } from '../blocks/block-reading.ts'
import type { Covering } from './cover.ts'
import type { KeyFile } from './key-file.ts'
import type { IndexedGroup } from './key-file-contents.ts'
import { type Digest, digestOfKey } from './key-order.ts'

/** A position in table order; rows without a key come first. */
export interface KeyedPosition {
  readonly group: GroupKey
  readonly key: string | null
  readonly ordinal: bigint
}

/** The rows of one key in table order. */
export interface RowsOfKey {
  readonly total: number
  /** Reads rows `start` to `end`, without `end`, with all columns. Errors: DamagedFile. */
  read(start: number, end: number): readonly Row[]
  /** The same rows, with some columns. Errors: DamagedFile. */
  columns(start: number, end: number, names: readonly string[]): RowVectors
  /** Counts the rows before a position, or with `isIncluded` also at it. */
  before(position: KeyedPosition, isIncluded: boolean): number
}

interface KeyRow {
  readonly reading: Reading
  readonly row: number
  readonly group: IndexedGroup
  readonly ordinal: bigint
}

interface Reading {
  readonly file: KeyFile
  readonly blocks: BlockReading<Blocks>
}

/** Errors: DamagedFile. */
export function rowsOfKey(coverings: readonly Covering[], key: string, range: GroupRange): RowsOfKey {
  const digest = digestOfKey(key)
  const rows = coverings.flatMap((covering) => findKeyRows(covering, digest, range))
  // Rows of a single file are in table order.
  if (coverings.length > 1)
    rows.sort((a, b) => compareGroups(a.group, b.group) || compareBounds(a.ordinal, b.ordinal))
  return {
    total: rows.length,
    read: (start, end) => rows.slice(start, end).map((row) => rowOf(row, key)),
    columns(start, end, names) {
      const within = rows.slice(start, end)
      const columns = names.map((name) => [name, valuesOf(within, name, key)] as const)
      return { rows: within.length, columns: Object.fromEntries(columns) }
    },
    before(position, isIncluded) {
      const isBefore = ({ group, ordinal }: KeyRow) => {
        const difference =
          compareGroups(group, position.group) ||
          (position.key === null ? 1 : compareBytes(key, position.key)) ||
          compareBounds(ordinal, position.ordinal)
        return difference < 0 || (isIncluded && difference === 0)
      }
      return rows.filter(isBefore).length
    },
  }
}

function findKeyRows({ file, isCovered }: Covering, digest: Digest, range: GroupRange): readonly KeyRow[] {
  const ofKey = file.blocksOfKey(digest)
  if (ofKey === undefined) return []
  const { blocks, contents } = file
  const reading = { file, blocks: new BlockReading(blocks) }
  const { first, end } = file.groupsIn(range)
  const ordinal = blocks.numberOf('ordinal')
  const matching: KeyRow[] = []
  const rows = blocks.firstRowOf(ofKey.end)
  for (let row = blocks.firstRowOf(ofKey.first); row < rows; row += 1) {
    const number = Number(reading.blocks.value(0, row))
    const group = contents.groups[number]
    if (group === undefined || number < first || number >= end || isCovered[number] !== 1) continue
    if (range.type !== undefined && group.type !== range.type) continue
    const value = ordinal < 0 ? group.common.ordinal : reading.blocks.value(ordinal, row)
    matching.push({ reading, row, group, ordinal: bigintOf(value ?? 0n) })
  }
  return matching
}

function rowOf({ reading, row, group }: KeyRow, key: string): Row {
  const { file, blocks } = reading
  const { resource } = file
  const values: Record<string, Value> = { [resource.keyed ?? '']: key }
  for (const [column, part] of Object.entries(groupColumns(resource))) values[column] = group[part]
  for (const name of Object.keys(resource.columns)) {
    if (name in values) continue
    const column = file.blocks.numberOf(name)
    values[name] = column < 0 ? (group.common[name] ?? null) : blocks.value(column, row)
  }
  return values
}

function valuesOf(rows: readonly KeyRow[], name: string, key: string): readonly Value[] {
  const [{ reading: { file: { resource } = {} } = {} } = {}] = rows
  if (resource === undefined) return []
  if (name === resource.keyed) return rows.map(() => key)
  const part = groupColumns(resource)[name]
  if (part !== undefined) return rows.map(({ group }) => group[part])
  return rows.map(({ reading: { file, blocks }, row, group }) => {
    const column = file.blocks.numberOf(name)
    return column < 0 ? (group.common[name] ?? null) : blocks.value(column, row)
  })
}
