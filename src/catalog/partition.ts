import { DAY_MICROS } from '../base/values/epoch-day.ts'
import { LAST_INSTANT, monthOf, readInstant } from '../base/values/instant.ts'
import type { Resource } from './resource.ts'

/** Values of one column from `first` up to but not including `end`, in the unit of the column. */
export interface ValueRange {
  readonly column: string
  readonly first: bigint
  readonly end: bigint
}

/** Maps values to partition names and back. */
interface Partitioning {
  /** Values with the same quotient are in one partition. */
  readonly grain: bigint
  nameOf(value: bigint): string
  startOf(name: string): bigint
  endOf(name: string): bigint
}

/** Blocks in a partition of blocks. */
const BLOCKS = 100_000n

const blockRanges: Partitioning = {
  grain: BLOCKS,
  // Padding makes names sort like the blocks.
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

/** Returns the partition of a row by its partitioning value; null in a table without partitions. */
export function partitionOf(resource: Resource, value: bigint): string | null {
  return partitioningOf(resource)?.nameOf(value) ?? null
}

/** Returns a divisor: values with the same quotient are in one partition. Null without partitions. */
export function grainOf(resource: Resource): bigint | null {
  return partitioningOf(resource)?.grain ?? null
}

/** Returns the range of values of a partition; null in a table without partitions. */
export function valuesOfPartition(resource: Resource, name: string | null): ValueRange | null {
  const partitioning = partitioningOf(resource)
  if (partitioning === undefined || resource.partition === null || name === null) return null
  return {
    column: resource.partition.of,
    first: partitioning.startOf(name),
    end: partitioning.endOf(name),
  }
}

/** Returns the partition of a file by its partition values in the log. */
export function partitionIn(
  { partition }: Resource,
  values: Readonly<Record<string, string>>,
): string | null {
  return partition === null ? null : (values[partition.by] ?? null)
}
