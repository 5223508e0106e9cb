import type { Repository } from '../../answers/repository.ts'
import type { Reach } from '../../answers/unknown/reach.ts'
import type { ParamFault } from '../../base/errors.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { Feature } from '../../catalog/feature.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import type { RequestWork } from '../gate/costs.ts'
import type { NarrowedFilters } from '../gate/look-back.ts'
import type { OpenSql } from '../gate/sql-access.ts'
import { readingLog } from '../gate/work-of.ts'
import type { Schema } from '../open-api/schemas/schema.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

/** A client of the tools and its permissions. */
export interface ToolClient {
  /** Aborts at the deadline of the call, or when the client cancels. */
  readonly signal: AbortSignal
  /** Features of the key; undefined if no key is needed. */
  readonly features: readonly Feature[] | undefined
  /** Narrows filters to the look-back of the key. */
  allowed(resource: Resource, filters: Filters): NarrowedFilters
  /** Reach of the client's key. */
  readonly reach: Reach
  /** Errors: `feature_not_available`. */
  requireFeatures(needs: readonly Feature[]): void
  /** Queues a job for admission. Errors: `overloaded`. */
  inTurn<T>(work: RequestWork, job: () => Promise<T>): Promise<T>
  /** Opens SQL sessions, or says why the client has none. */
  readonly sql: OpenSql | string
}

export interface ToolContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly client: ToolClient
}

/** Arguments as REST parameters, and faults of those that could not be converted. */
export interface ToolArguments {
  readonly raw: RawQuery
  readonly faults: readonly ParamFault[]
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly inputSchema: Schema
  /** True if the client can use the tool; true by default. */
  isFor?(client: Pick<ToolClient, 'sql'>): boolean
  /** Returns the reply as JSON. Errors: those of REST. */
  answer(toolArguments: ToolArguments, context: ToolContext): Promise<string>
}

/** Returns the requested snapshot; reads it through the queue if it is not in memory. */
export async function snapshotFor(
  asOf: string | undefined,
  { snapshots, client }: ToolContext,
): Promise<Snapshot> {
  const snapshot = snapshots.known(asOf)
  if (snapshot !== undefined) return snapshot
  return await client.inTurn(readingLog, () => unlessGone(snapshots.of(asOf, client.signal), client.signal))
}

/** Computes a reply at the requested snapshot, and again at a newer one if a vacuum removed files of the first. */
export async function replyAt(
  asOf: string | undefined,
  context: ToolContext,
  compute: (at: Snapshot) => Promise<string>,
): Promise<string> {
  const at = await snapshotFor(asOf, context)
  try {
    return await compute(at)
  } catch (error) {
    const { snapshots, client } = context
    return await compute(await unlessGone(snapshots.insteadOf(at, asOf, error), client.signal))
  }
}

/** Returns the filters within the look-back, with days resolved to a range. It reads epochs through the queue if they are not in memory. */
export async function filtersAt(
  resource: Resource,
  query: Pick<CheckedQuery, 'filters' | 'days'>,
  at: Snapshot,
  { repository, client }: ToolContext,
): Promise<NarrowedFilters> {
  const { dayRanges } = repository
  const { signal } = client
  const reading = () => unlessGone(dayRanges.read(resource, query, at, signal), signal)
  const filters = dayRanges.peek(resource, query, at) ?? (await client.inTurn(readingLog, reading))
  return client.allowed(resource, filters)
}
