import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'

/** Row filters of a client per table; undefined if it may not read the table. */
export type Reach = (resource: Resource) => Filters | undefined

export const noFilters: Filters = {}

/** Reach of a client on a server without keys. */
export const fullReach: Reach = () => noFilters
