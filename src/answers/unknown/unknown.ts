import { ServiceError } from '../../base/errors.ts'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { spellingsOf } from '../../base/values/plain-name.ts'
import { holdersOf, type IdentifierColumn, identifiersOf } from '../../catalog/identities.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { ALL_GROUPS } from '../../catalog/query/group-range.ts'
import type { Predicate, RowsPlan } from '../../catalog/query/plan.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Resource } from '../../catalog/resource.ts'
import { leadingColumn } from '../../index/orders.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type AccessPaths, choose } from './choose.ts'
import type { Pages } from './pages.ts'

/** Row filters of a client per table; undefined if it may not read the table. */
export type Reach = (resource: Resource) => Filters | undefined

const noFilters: Filters = {}

/** Reach of a client on a server without keys. */
export const fullReach: Reach = () => noFilters

/**
 * Values per parameter that no row has; null if that cannot be determined. Parameters without such values are absent.
 */
export type Unknown = Readonly<Record<string, readonly string[] | null>>

/** Values of one parameter, and the columns that may hold them. */
export interface Identified {
  readonly param: string
  readonly values: readonly string[]
  readonly holders: readonly IdentifierColumn[]
}

export interface FindUnknown {
  /** Returns the values that no readable row has, or undefined if that takes a read. */
  peek(identified: readonly Identified[], reach: Reach, at: Snapshot): Unknown | undefined
  read(identified: readonly Identified[], reach: Reach, at: Snapshot, signal?: AbortSignal): Promise<Unknown>
  /**
   * Identifies the inputs of the result: the searched tables, the readable rows, and whether it can be determined.
   */
  originOf(identified: readonly Identified[], reach: Reach, at: Snapshot): string
}

/** Larger tables are searched only through an index. */
const MOST_SEARCHED = 4_000_000
/** Limit of values looked up one by one without an index. */
const FEW_VALUES = 8

/** Limit of remembered values per table version, for hits and misses each. */
const MOST_REMEMBERED = 10_000
/** Longer values are not remembered, which bounds memory. */
const LONGEST_REMEMBERED = 256

type Remembered = WeakMap<TableSnapshot, Set<string>>

/** Values found per table version; most requests are about existing hotspots. */
const foundValues: Remembered = new WeakMap()
/** Values not found. Separate, since a client can invent any number of them. */
const missedValues: Remembered = new WeakMap()

function rememberedIn(values: Remembered, table: TableSnapshot): Set<string> {
  const remembered = values.get(table)
  if (remembered !== undefined && remembered.size < MOST_REMEMBERED) return remembered
  const emptied = new Set<string>()
  values.set(table, emptied)
  return emptied
}

/** A filter of a resource that identifies one object. */
type Identifier = Pick<Identified, 'param' | 'holders'>

const identifiers = new WeakMap<Resource, readonly Identifier[]>()

/** Keys of a series request: hotspots, owner, maker, and its filters. */
export function identifiedBySeries(
  resource: Resource,
  filters: Filters,
  { hotspotKeys, owner, makerId }: SeriesRequest,
): readonly Identified[] {
  const named = (param: string, column: string, values: readonly string[] | undefined) =>
    values === undefined ? [] : [{ param, values, holders: holdersOf(hotspots, column) }]
  return [
    ...named('hotspot_key', 'ecc_key', hotspotKeys),
    ...named('owner', 'owner', owner === undefined ? undefined : [owner]),
    ...named('maker_id', 'maker_id', makerId === undefined ? undefined : [makerId]),
    ...identifiedBy(resource, filters),
  ]
}

/** Identifying parameters of a resource, with their values. */
export function identifiedBy(resource: Resource, filters: Filters): readonly Identified[] {
  const ofResource = identifiers.get(resource) ?? identifiersWithHolders(resource)
  identifiers.set(resource, ofResource)
  return ofResource.flatMap(({ param, holders }) => {
    const value = filters[param]
    return typeof value === 'string' ? [{ param, values: [value], holders }] : []
  })
}

function identifiersWithHolders(resource: Resource): readonly Identifier[] {
  return identifiersOf(resource).map((param) => {
    const { column = '', match } = resource.filters?.[param] ?? {}
    // A name in the spelling of the other ledger matches nothing here.
    if (column === 'name' && match === 'equals')
      return { param, holders: [{ resource, column, isExact: true }] }
    return { param, holders: holdersOf(resource, column) }
  })
}

export function openUnknown(parts: AccessPaths, pages: Pages): FindUnknown {
  const { engine, index, blocks } = parts

  function lookup(
    { resource, column, isExact }: IdentifierColumn,
    value: string,
    filters: Filters,
    at: Snapshot,
  ) {
    const { where } = toCountPlan(resource, filters)
    const probePlan: RowsPlan = {
      ...{ resource, where: [...where, isValue(resource, column, value, isExact)] },
      ...{ columns: [column], limit: 1, offset: 0 },
    }
    return { plan: probePlan, choice: choose('page', probePlan, at, parts) }
  }

  /** Returns undefined if the check needs I/O. */
  function hasAtOnce(
    holder: IdentifierColumn,
    value: string,
    reach: Reach,
    at: Snapshot,
  ): boolean | undefined {
    const filters = reach(holder.resource)
    const table = at.table(holder.resource)
    if (filters === undefined || table.rows === 0) return false
    const lookedFor = `${holder.column} ${holder.isExact === true} ${value}`
    const isRemembered = filters === noFilters && lookedFor.length <= LONGEST_REMEMBERED
    if (isRemembered && rememberedIn(foundValues, table).has(lookedFor)) return true
    if (isRemembered && rememberedIn(missedValues, table).has(lookedFor)) return false
    const { plan, choice } = lookup(holder, value, filters, at)
    const page = pages.atOnce(choice, plan, at)
    const isPresent = page && page.total > 0
    if (isRemembered && isPresent !== undefined)
      rememberedIn(isPresent ? foundValues : missedValues, table).add(lookedFor)
    return isPresent
  }

  /** The index finds a key faster than any table. */
  function isIndexed(
    { resource, column }: IdentifierColumn,
    value: string,
    reach: Reach,
    at: Snapshot,
  ): boolean {
    if (resource.keyed !== column || reach(resource) !== noFilters) return false
    return index.has(at.table(resource), value) === true
  }

  /** Returns the columns to search with I/O; undefined if another column has the value. */
  function undecidedOf(holders: readonly IdentifierColumn[], value: string, reach: Reach, at: Snapshot) {
    if (holders.some((holder) => isIndexed(holder, value, reach, at))) return undefined
    const undecided: IdentifierColumn[] = []
    for (const holder of holders) {
      const isPresent = hasAtOnce(holder, value, reach, at)
      if (isPresent === true) return undefined
      if (isPresent === undefined) undecided.push(holder)
    }
    return undecided
  }

  /** True for a small table, or one ordered by the column. */
  function isCheap({ resource, column }: IdentifierColumn, at: Snapshot): boolean {
    const table = at.table(resource)
    const isSorted = blocks.ordersOf(table).some((order) => order.column === column)
    return table.rows <= MOST_SEARCHED || isSorted || leadingColumn(resource) === column
  }

  /** Returns the values that no column has, or null if a column cannot be searched. */
  async function withoutRows(
    { values, holders }: Identified,
    reach: Reach,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<readonly string[] | null> {
    let remaining = [...new Set(values)]
    let isTold = true
    for (const holder of holders) {
      if (remaining.length === 0) return remaining
      const filters = reach(holder.resource)
      if (filters === undefined || at.table(holder.resource).rows === 0) continue
      const [missed, waiting] = await eachAtOnce(holder, remaining, reach, at, signal)
      if (waiting.length > 0 && !isCheap(holder, at)) isTold = false
      const present =
        waiting.length > 0 && isCheap(holder, at)
          ? await findPresent(holder, waiting, filters, at, signal)
          : new Set()
      remaining = [...missed, ...waiting.filter((value) => !present.has(value))]
    }
    return remaining.length === 0 || isTold ? remaining : null
  }

  /** Returns the missing values, and the values that need I/O. */
  async function eachAtOnce(
    holder: IdentifierColumn,
    values: readonly string[],
    reach: Reach,
    at: Snapshot,
    signal?: AbortSignal,
  ) {
    const missed: string[] = []
    const waiting: string[] = []
    for (const [index, value] of values.entries()) {
      if (isSliceOver()) await nextSlice(signal)
      const isPresent = hasAtOnce(holder, value, reach, at)
      // If one value needs I/O, so do the rest.
      if (isPresent === undefined) return [missed, [...waiting, ...values.slice(index)]] as const
      if (!isPresent) missed.push(value)
    }
    return [missed, waiting] as const
  }

  /** Returns the values that a column has. */
  async function findPresent(
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
    const groups = await engine.sums(
      { resource, where, sums: {}, groupBy: [column], prices: new Map() },
      at,
      signal,
    )
    return new Set(groups.flatMap(({ group }) => spelled.get(String(group[column])) ?? []))
  }

  function canTell(holder: IdentifierColumn, at: Snapshot): boolean {
    const { resource, column } = holder
    return isCheap(holder, at) || (resource.keyed === column && index.covers(at.table(resource), ALL_GROUPS))
  }

  function knownAtOnce(identified: readonly Identified[], reach: Reach, at: Snapshot): Unknown | undefined {
    const unknown: Record<string, readonly string[]> = {}
    for (const { param, values, holders } of identified)
      for (const value of values) {
        const undecided = undecidedOf(holders, value, reach, at)
        if (undecided === undefined) continue
        if (undecided.length > 0) return undefined
        unknown[param] = [...(unknown[param] ?? []), value]
      }
    return unknown
  }

  return {
    peek(identified, reach, at) {
      try {
        return knownAtOnce(identified, reach, at)
      } catch (error) {
        if (error instanceof ServiceError) return undefined
        throw error
      }
    },

    originOf: (identified, reach, at) =>
      identified
        .flatMap(({ holders }) => holders)
        .map((holder) => {
          const filters = reach(holder.resource)
          if (filters === undefined) return '-'
          const within = Object.entries(filters).map(([name, value]) => `${name}=${value}`)
          return [at.table(holder.resource).digest, ...within, canTell(holder, at)].join(' ')
        })
        .join('\0'),

    async read(identified, reach, at, signal) {
      const unknown: Record<string, readonly string[] | null> = {}
      for (const parameter of identified) {
        const values = await withoutRows(parameter, reach, at, signal).catch((error) => {
          signal?.throwIfAborted()
          // A damaged or unreadable table proves nothing about a value.
          if (error instanceof ServiceError) return null
          throw error
        })
        if (values === null || values.length > 0) unknown[parameter.param] = values
      }
      return unknown
    },
  }
}

/** Predicate for a value in the spelling of the column: names of either ledger, wallets normalized. */
function isValue({ columns }: Resource, column: string, value: string, isExact = false): Predicate {
  if (column === 'name' && !isExact) return { column, match: 'anyOf', value: spellingsOf(value) }
  return { column, match: 'equals', value: spellWallet(columns[column]?.wallet, value) }
}
