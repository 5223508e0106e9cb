import { bigintOf, type Value } from '../../../catalog/column.ts'
import { partitionOf, type ValueRange, valuesOfPartition } from '../../../catalog/partition.ts'
import { amountColumns, type Resource } from '../../../catalog/resource.ts'
import type { Group } from '../../../lake/facts/source.ts'
import type { RowBatch } from '../../ports/row-batch.ts'

interface CountedGroup {
  readonly partition: string | null
  /** Time range of the partition; null for an unpartitioned table. */
  readonly range: ValueRange | null
  readonly at: bigint
  readonly variant: string | null
  rows: number
  readonly sums: bigint[]
  readonly amounts: readonly { readonly column: string; readonly slot: number }[]
}

/** Counts and sums the rows of one source while decoding, to verify the written file. */
export class SourceStatistics {
  readonly #resource: Resource
  readonly #timeSlot: number
  readonly #groups: CountedGroup[] = []
  readonly #amountsOf: ReadonlyMap<string | null, CountedGroup['amounts']>
  readonly #hasGroups: boolean
  #last: CountedGroup | undefined
  rows = 0

  constructor(resource: Resource, columns: readonly string[], shapes: readonly RowBatch[]) {
    this.#resource = resource
    this.#timeSlot = resource.partition === null ? -1 : columns.indexOf(resource.partition.of)
    this.#hasGroups = resource.statistics !== undefined
    const amounts = amountColumns(resource)
    this.#amountsOf = new Map(
      shapes.map((shape) => [
        shape.variant,
        amounts
          .filter((column) => this.#hasGroups && shape.columns.includes(column))
          .map((column) => ({ column, slot: columns.indexOf(column) })),
      ]),
    )
  }

  add(values: readonly Value[], variant: string | null): void {
    const at = this.#timeSlot < 0 ? 0n : bigintOf(values[this.#timeSlot])
    let group = this.#last
    if (group === undefined || !this.#isOf(group, at, variant)) group = this.#groupOf(at, variant)
    this.rows += 1
    group.rows += 1
    for (let index = 0; index < group.amounts.length; index += 1) {
      const value = values[group.amounts[index]?.slot ?? 0] ?? null
      if (value !== null) group.sums[index] = (group.sums[index] ?? 0n) + bigintOf(value)
    }
    this.#last = group
  }

  /** Partitions of the rows; `[null]` for an unpartitioned table. */
  get partitions(): readonly (string | null)[] {
    return [...new Set(this.#groups.map((group) => group.partition))]
  }

  rowsIn(partition: string | null): number {
    return this.#groups
      .filter((group) => group.partition === partition)
      .reduce((sum, group) => sum + group.rows, 0)
  }

  /** Counts and sums of one partition; empty for a resource without groups. */
  groupsIn(partition: string | null): readonly Group[] {
    if (!this.#hasGroups) return []
    return this.#groups
      .filter((group) => group.partition === partition)
      .map((group) => ({
        period: group.at,
        type: group.variant ?? '',
        rows: group.rows,
        sums: Object.fromEntries(group.amounts.map(({ column }, index) => [column, group.sums[index] ?? 0n])),
      }))
  }

  /** Without statistics, all rows of a partition form one group. */
  #isOf({ at, variant, range }: CountedGroup, ownAt: bigint, ownVariant: string | null): boolean {
    if (this.#hasGroups) return at === ownAt && variant === ownVariant
    return range === null || (range.first <= ownAt && ownAt < range.end)
  }

  #groupOf(at: bigint, variant: string | null): CountedGroup {
    const counted = this.#groups.find((group) => this.#isOf(group, at, variant))
    if (counted !== undefined) return counted
    const partition = this.#timeSlot < 0 ? null : partitionOf(this.#resource, at)
    const range = valuesOfPartition(this.#resource, partition)
    const amounts = this.#amountsOf.get(variant) ?? []
    const group: CountedGroup = {
      partition,
      range,
      at,
      variant,
      rows: 0,
      sums: amounts.map(() => 0n),
      amounts,
    }
    this.#groups.push(group)
    return group
  }
}
