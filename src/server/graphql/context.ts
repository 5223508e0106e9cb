import type { Resource } from '../../catalog/resource.ts'
import type { Filters } from '../../derive/filter-values.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'

/** What the fields of one query share. */
export interface GraphqlContext {
  readonly repository: Repository
  /** The snapshot that the whole query sees; taken when the first list asks. Errors: `not_ready`. */
  snapshot(): Promise<Snapshot>
  readonly signal: AbortSignal
  /** Filters as far as the caller's key lets them reach. */
  allowed(resource: Resource, filters: Filters): Filters
}
