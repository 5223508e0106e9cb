import { holdersOf, type IdentifierColumn, identifiersOf } from '../../catalog/identities.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import type { Resource } from '../../catalog/resource.ts'

/** Values of one parameter, and the columns that may hold them. */
export interface Identified {
  readonly param: string
  readonly values: readonly string[]
  readonly holders: readonly IdentifierColumn[]
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
