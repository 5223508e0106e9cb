import { DAY_MICROS } from '../base/values/epoch-day.ts'
import { LAST_INSTANT, monthOf, readInstant } from '../base/values/instant.ts'
import type { Resource } from './resource.ts'

/** Values of one column from `first` up to but not including `end`, in the unit of the column. */
export interface ValueRange {
  readonly column: string
  readonly first: bigint
  readonly end: bigint
}

/** How a partition is named after a value, and which values it holds. */
interface Partitioning {
  /** Values with the same quotient by it lie in one partition. */
  readonly grain: bigint
  nameOf(value: bigint): string
  startOf(name: string): bigint
  endOf(name: string): bigint
}

/** Blocks in a partition of blocks. */
const BLOCKS = 100_000n

const blockRanges: Partitioning = {
  grain: BLOCKS,
  // As many digits as make the order of the names that of the blocks.
  nameOf: (block) => ((block / BLOCKS) * BLOCKS).toString().padStart(10, '0'),
  startOf: (name) => BigInt(name),
  endOf: (name) => BigInt(name) + BLOCKS,
}

/** Months of a column that counts `unit` microseconds. */
function months(unit: bigint): Partitioning {
  const startOf = (month: string) => (readInstant(`${month}-01`) ?? LAST_INSTANT + 1n) / unit
  return {
    grain: DAY_MICROS / unit,
    nameOf: (value) => monthOf(value * unit),
    startOf,
    endOf: (month) => startOf(nextMonth(month)),
  }
}

const instants = months(1n)
const seconds = months(1_000_000n)

/** `2025-12` -> `2026-01`; after `9999-12` there is no month. */
function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${month.slice(0, 4)}-${String(number + 1).padStart(2, '0')}`
}

function partitioningOf({ partition, columns }: Resource): Partitioning | undefined {
  if (partition === null) return undefined
  if (partition.by === 'block_range') return blockRanges
  return columns[partition.of]?.kind === 'seconds' ? seconds : instants
}

/** The partition of a row by the value of its partitioning column; null in a table without partitions. */
export function partitionOf(resource: Resource, value: bigint): string | null {
  return partitioningOf(resource)?.nameOf(value) ?? null
}

/** A number by which values of one quotient lie in one partition, however many values a table has. */
export function grainOf(resource: Resource): bigint | null {
  return partitioningOf(resource)?.grain ?? null
}

/** The values that the rows of a partition have; null in a table without partitions. */
export function valuesOfPartition(resource: Resource, name: string | null): ValueRange | null {
  const partitioning = partitioningOf(resource)
  if (partitioning === undefined || resource.partition === null || name === null) return null
  return {
    column: resource.partition.of,
    first: partitioning.startOf(name),
    end: partitioning.endOf(name),
  }
}

/** The partition of a file, by the values that the log has for it. */
export function partitionIn(
  { partition }: Resource,
  values: Readonly<Record<string, string>>,
): string | null {
  return partition === null ? null : (values[partition.by] ?? null)
}
