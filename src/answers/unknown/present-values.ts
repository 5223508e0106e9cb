import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { spellingsOf } from '../../base/values/plain-name.ts'
import type { IdentifierColumn } from '../../catalog/identities.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { ALL_GROUPS } from '../../catalog/query/group-range.ts'
import type { Predicate, RowsPlan } from '../../catalog/query/plan.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Resource } from '../../catalog/resource.ts'
import { leadingColumn } from '../../index/orders.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type AccessPaths, choose } from '../rows/choose.ts'
import type { Pages } from '../rows/pages.ts'
import { noFilters, type Reach } from './reach.ts'
import { rememberedPresence, rememberPresence } from './remembered.ts'

/** Larger tables are searched only through an index. */
const MOST_SEARCHED = 4_000_000
/** Limit of values looked up one by one without an index. */
const FEW_VALUES = 8

/** Looks up whether the readable rows of a column have a value. */
export function openPresentValues(parts: AccessPaths, pages: Pages) {
  const { engine, index, blocks } = parts

  function lookup(
    { resource, column, isExact }: IdentifierColumn,
    value: string,
    filters: Filters,
    at: Snapshot,
  ) {
    const { where } = toCountPlan(resource, filters)
    const plan: RowsPlan = {
      ...{ resource, where: [...where, isValue(resource, column, value, isExact)] },
      ...{ columns: [column], limit: 1, offset: 0 },
    }
    return { plan, choice: choose('page', plan, at, parts) }
  }

  /** Returns true if `read` may search the column: a small table, or one ordered by the column. */
  function isCheap({ resource, column }: IdentifierColumn, at: Snapshot): boolean {
    const table = at.table(resource)
    const isSorted = blocks.ordersOf(table).some((order) => order.column === column)
    return table.rows <= MOST_SEARCHED || isSorted || leadingColumn(resource) === column
  }

  return {
    /** Returns undefined if the check needs I/O. */
    peek(holder: IdentifierColumn, value: string, reach: Reach, at: Snapshot): boolean | undefined {
      const filters = reach(holder.resource)
      const table = at.table(holder.resource)
      if (filters === undefined || table.rows === 0) return false
      const remembered = `${holder.column} ${holder.isExact === true} ${value}`
      const presence = filters === noFilters ? rememberedPresence(table, remembered) : undefined
      if (presence !== undefined) return presence
      const { plan, choice } = lookup(holder, value, filters, at)
      const page = pages.peek(choice, plan, at)
      if (page === undefined) return undefined
      if (filters === noFilters) rememberPresence(table, remembered, page.total > 0)
      return page.total > 0
    },

    /** Returns true if the index by hotspot has the value; it finds a key faster than any table. */
    isIndexed({ resource, column }: IdentifierColumn, value: string, reach: Reach, at: Snapshot): boolean {
      if (resource.keyed !== column || reach(resource) !== noFilters) return false
      return index.has(at.table(resource), value) === true
    },

    isCheap,

    /** Returns true if the column can be searched at all. */
    canTell(holder: IdentifierColumn, at: Snapshot): boolean {
      const { resource, column } = holder
      return (
        isCheap(holder, at) || (resource.keyed === column && index.covers(at.table(resource), ALL_GROUPS))
      )
    },

    /** Returns the values that a column has. */
    async read(
      holder: IdentifierColumn,
      values: readonly string[],
      filters: Filters,
      at: Snapshot,
      signal?: AbortSignal,
    ): Promise<ReadonlySet<string>> {
      const { resource, column } = holder
      if (values.length <= FEW_VALUES) {
        const present = new Set<string>()
        for (const value of values) {
          const { plan, choice } = lookup(holder, value, filters, at)
          if ((await pages.first(choice, plan, at, signal)) !== undefined) present.add(value)
        }
        return present
      }
      const { wallet } = resource.columns[column] ?? {}
      const spelled = new Map<string, string[]>()
      for (const value of values) {
        if (isSliceOver()) await nextSlice(signal)
        const spelling = spellWallet(wallet, value)
        spelled.set(spelling, [...(spelled.get(spelling) ?? []), value])
      }
      const where: readonly Predicate[] = [
        ...toCountPlan(resource, filters).where,
        { column, match: 'anyOf', value: [...spelled.keys()] },
      ]
      const sums = { resource, where, sums: {}, groupBy: [column], prices: new Map() }
      const groups = await engine.sums(sums, at, signal)
      return new Set(groups.flatMap(({ group }) => spelled.get(String(group[column])) ?? []))
    },
  }
}

/** Predicate for a value in the spelling of the column: names of either ledger, wallets normalized. */
function isValue({ columns }: Resource, column: string, value: string, isExact = false): Predicate {
  if (column === 'name' && !isExact) return { column, match: 'anyOf', value: spellingsOf(value) }
  return { column, match: 'equals', value: spellWallet(columns[column]?.wallet, value) }
}
