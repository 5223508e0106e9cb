import { getOrMake } from '../../base/maps.ts'
import { cellsWithin, LOCATION_RESOLUTION } from '../../base/values/h3-cell.ts'
import { spellingsOf } from '../../base/values/plain-name.ts'
import { bigintOf } from '../column.ts'
import type { Member, Members } from '../members.ts'
import { wholeRecordColumns } from '../records/record.ts'
import { spellWallet } from '../records/wallet.ts'
import type { Resource } from '../resource.ts'
import type { FilterValue } from './filter-readers.ts'
import type { Filters } from './filter-values.ts'
import { offsetOf, type PageRequest } from './page.ts'
import {
  between,
  type CountPlan,
  type Predicate,
  type RangeRowsPlan,
  type RowRange,
  type RowsPlan,
  type Sum,
  type SumsPlan,
} from './plan.ts'

function toPredicates(resource: Resource, filters: Filters): readonly Predicate[] {
  const { filters: declared = {} } = resource
  const predicates: Predicate[] = []
  for (const name in declared) {
    const [filter, value] = [declared[name], filters[name]]
    if (filter === undefined || value === undefined) continue
    const { column, match } = filter
    if (match === 'within') predicates.push(...cellPredicates(column, bigintOf(value)))
    else if (match === 'named') predicates.push(...namePredicates(column, String(value)))
    else predicates.push({ column, match, value: spellFilter(resource, column, value) })
  }
  return predicates
}

/** Converts a wallet to the spelling of the column. */
function spellFilter({ columns }: Resource, column: string, value: FilterValue): FilterValue {
  return typeof value === 'string' ? spellWallet(columns[column]?.wallet, value) : value
}

function namePredicates(column: string, name: string): readonly Predicate[] {
  const spellings = spellingsOf(name)
  return spellings.length === 1
    ? [{ column, match: 'equals', value: spellings[0] }]
    : [{ column, match: 'anyOf', value: spellings }]
}

function cellPredicates(column: string, cell: bigint): readonly Predicate[] {
  const { first, last } = cellsWithin(cell, LOCATION_RESOLUTION)
  if (first === last) return [{ column, match: 'equals', value: first }]
  return between(column, first, last)
}

export function toCountPlan(resource: Resource, filters: Filters): CountPlan {
  return { resource, where: toPredicates(resource, filters) }
}

/** Plans one page of records. */
export function toRowsPlan(resource: Resource, filters: Filters, page: PageRequest): RowsPlan {
  return {
    ...toCountPlan(resource, filters),
    columns: wholeRecordColumns(resource),
    limit: page.perPage,
    offset: offsetOf(page),
  }
}

/** Plans the first matching row. */
export function toFirstPlan(resource: Resource, where: readonly Predicate[]): RowsPlan {
  return { resource, where, columns: wholeRecordColumns(resource), limit: 1, offset: 0 }
}

/** Plans all columns of a range of rows. */
export function toRangePlan(resource: Resource, range: RowRange): RangeRowsPlan {
  return toRangesPlan({ resource, columns: Object.keys(resource.columns) }, [range])
}

/** Plans all rows of consecutive ranges. */
export function toRangesPlan(
  { resource, columns }: Pick<RowsPlan, 'resource' | 'columns'>,
  ranges: readonly RowRange[],
): RangeRowsPlan {
  const limit = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
  return { resource, where: [], columns, ranges, limit, offset: 0 }
}

const noPrices: ReadonlyMap<string, bigint> = new Map()

export function toSumsPlan(
  resource: Resource,
  filters: Filters,
  prices: ReadonlyMap<string, bigint> = noPrices,
): SumsPlan {
  return { resource, where: toPredicates(resource, filters), sums: sumsOf(resource), groupBy: [], prices }
}

const knownSums = new WeakMap<Resource, SumsPlan['sums']>()

function sumsOf(resource: Resource): SumsPlan['sums'] {
  return getOrMake(knownSums, resource, () => toSums(resource.totals))
}

export function toSeriesSums({ series }: Resource): SumsPlan['sums'] {
  return toSums(series?.sums)
}

function toSums(members: Members = {}): SumsPlan['sums'] {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, toSum(member)]))
}

function toSum(member: Member): Sum {
  if (typeof member === 'string') return { column: member, as: 'amount' }
  if (member.derive === 'offloaded_bytes') return { column: member.of, as: 'offloaded_bytes' }
  throw new Error(`${member.derive} has no sum`)
}
