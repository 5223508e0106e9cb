import type { Repository } from '../../../answers/repository.ts'
import type { HitsRequest } from '../../../answers/search/hit-of-row.ts'
import type { Reach } from '../../../answers/unknown/reach.ts'
import type { Feature } from '../../../catalog/feature.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../../contract/query-schema.ts'
import type { NarrowedFilters } from '../../gate/look-back.ts'

/** A paging argument beyond the limit of one response. */
export type Capped = {
  readonly path: string
  readonly argument: string
  readonly asked: number
  readonly served: number
  readonly message: string
}

/** Values of an argument without any row; null if the server could not check them. */
type UnknownValues = {
  readonly path: string
  readonly argument: string
  readonly values: readonly string[] | null
}

/** State shared by the fields of one query. */
export interface GraphqlContext {
  readonly repository: Repository
  /** Returns the snapshot of the whole query; the first list takes it. Errors: `not_ready`. */
  snapshot(): Promise<Snapshot>
  readonly signal: AbortSignal
  /** Arguments that were cut to the limit of one response. */
  readonly capped: Capped[]
  /** Unknown values in the arguments of fields. */
  readonly unknown: UnknownValues[]
  /** Access path of each list, for the log and Server-Timing. */
  readonly answeredBy: string[]
  /** Number of values in the series of the query so far. */
  seriesValues: number
  /** Narrows filters to the look-back of the key, and replaces days by a range. Errors: `malformed_request`. */
  filtersAt(
    resource: Resource,
    query: Pick<CheckedQuery, 'filters' | 'days'>,
    at: Snapshot,
  ): Promise<NarrowedFilters>
  /** Returns the permitted search targets, and the prefix of REST paths. */
  searched(): Pick<HitsRequest, 'among' | 'within'> & { readonly prefix: string }
  /** Reach of the client's key. */
  readonly reach: Reach
  /** Errors: `feature_not_available`. */
  requireFeatures(needs: readonly Feature[]): void
}
