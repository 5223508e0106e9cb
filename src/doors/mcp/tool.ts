import type { Repository } from '../../answers/repository.ts'
import type { Reach } from '../../answers/rows/unknown.ts'
import type { StatementRunner } from '../../answers/sql/process/statement-runner.ts'
import type { ParamFault } from '../../base/errors.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { Feature } from '../../catalog/feature.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import type { Work } from '../gate/costs.ts'
import type { NarrowedFilters } from '../gate/look-back.ts'
import { readingLog } from '../gate/work-of.ts'
import type { Schema } from '../open-api/schemas/schema.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

/** Opens a session for one SELECT over a snapshot; whoever opens it closes it. */
export type OpenSql = (at: Snapshot) => Promise<Pick<StatementRunner, 'firstRows' | 'close'>>

/** How far a caller may go. */
export interface Caller {
  /** Ends with the deadline of the call, or with its caller. */
  readonly signal: AbortSignal
  /** Those of the caller's key; undefined where no key is needed. */
  readonly features: readonly Feature[] | undefined
  /** Filters as far as the caller's key lets them reach. */
  allowed(resource: Resource, filters: Filters): NarrowedFilters
  /** Reach of the client's key. */
  readonly reach: Reach
  /** Errors: `feature_not_available`. */
  requireFeatures(needs: readonly Feature[]): void
  /** Does work when it is its turn. Errors: `overloaded`. */
  inTurn<T>(work: Work, job: () => Promise<T>): Promise<T>
  /** What answers SQL, or why the caller gets none. */
  readonly sql: OpenSql | string
}

/** What a call of a tool is answered from. */
export interface ToolContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly caller: Caller
}

/** Arguments as parameters of REST, and what of them could not be read. */
export interface ToolArguments {
  readonly raw: RawQuery
  readonly faults: readonly ParamFault[]
}

/** Something that an assistant may ask. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of its arguments. */
  readonly inputSchema: Schema
  /** Whether it is shown to a caller who can never use it; by default it is. */
  isFor?(caller: Pick<Caller, 'sql'>): boolean
  /** The reply as JSON text. Errors: those of REST. */
  answer(given: ToolArguments, context: ToolContext): Promise<string>
}

/** The snapshot to answer from; one that has to be read first is read in turn. */
export async function snapshotFor(
  asOf: string | undefined,
  { snapshots, caller }: ToolContext,
): Promise<Snapshot> {
  const known = snapshots.known(asOf)
  if (known !== undefined) return known
  return await caller.inTurn(readingLog, () => unlessGone(snapshots.of(asOf, caller.signal), caller.signal))
}

/** Filters as far as the caller's key reaches, with a range instead of days; epochs that have to be read first are read in turn. */
export async function filtersAt(
  resource: Resource,
  query: Pick<CheckedQuery, 'filters' | 'days'>,
  at: Snapshot,
  { repository, caller }: ToolContext,
): Promise<NarrowedFilters> {
  const { dayRanges } = repository
  const { signal } = caller
  const reading = () => unlessGone(dayRanges.read(resource, query, at, signal), signal)
  const filters = dayRanges.peek(resource, query, at) ?? (await caller.inTurn(readingLog, reading))
  return caller.allowed(resource, filters)
}
