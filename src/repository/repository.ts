import type { Resource, Row } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import type { FilterValue } from '../derive/filter-values.ts'
import type { JsonObject } from '../derive/json-writer.ts'
import { toRecord } from '../derive/record.ts'
import { type Spelling, specifiedSpelling } from '../derive/spelling.ts'
import type { Engine, Work } from '../engine/engine.ts'
import type { HotspotIndex } from '../hotspot-index/hotspot-index.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { ConnectionRequest } from '../query/connection.ts'
import { groupRangeOf, keyedRangeOf } from '../query/group-range.ts'
import { type PageMeta, type PageRequest, pageMeta } from '../query/page.ts'
import type { SumsPlan } from '../query/plan.ts'
import { toCountPlan, toRowsPlan, toSumsPlan } from '../query/to-plan.ts'
import type { SortedCopies } from '../sorted-copies/sorted-copies.ts'
import type { Connection } from './connection.ts'
import { readEmbedded } from './embeds.ts'
import { findRow } from './find.ts'
import { idOf } from './ids.ts'
import { keyedConnection, keyedPage, keyedRows } from './keyed-rows.ts'
import { keyedSums } from './keyed-sums.ts'
import { makerReader } from './makers.ts'
import { type ManifestIndex, manifestReader } from './manifests.ts'
import type { OffloadedBytes } from './offloaded-bytes.ts'
import { openPages } from './pages.ts'
import { rankedConnection } from './ranked-connection.ts'
import { searchedConnection } from './searched-connection.ts'

type Filters = Readonly<Record<string, FilterValue>>
type Sums = Readonly<Record<string, bigint>>

interface Page {
  readonly meta: PageMeta
  /** Records that match, over all pages. */
  readonly total: number
  readonly records: readonly JsonObject[]
}

/** The verbs over any resource. Everything that one call reads comes from the snapshot it is given. */
export interface Repository {
  list(
    resource: Resource,
    filters: Filters,
    page: PageRequest,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<Page>
  /** The record of an id, or of a value of one of the columns that `rest.find` names; undefined when there is none. */
  find(resource: Resource, id: string, at: Snapshot, signal?: AbortSignal): Promise<JsonObject | undefined>
  /** A stretch of a list between two places, with the columns asked for. */
  connection(
    resource: Resource,
    filters: Filters,
    request: ConnectionRequest,
    columns: readonly string[],
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<Connection>
  /** What shares embed and derive from. */
  manifests(at: Snapshot, signal?: AbortSignal): Promise<ManifestIndex>
  /** One exact sum per member of `resource.totals`; 0 over nothing. */
  totals(resource: Resource, filters: Filters, at: Snapshot, signal?: AbortSignal): Promise<JsonObject>
  /** The same if nothing has to be waited for: the log and the hotspot index tell them all; otherwise undefined. */
  totalsAtOnce(resource: Resource, filters: Filters, at: Snapshot): JsonObject | undefined
  /** What was read for the sake of a signal so far. */
  workFor(signal: AbortSignal): Work | undefined
  /** Does ahead what the first requests on a new snapshot would wait for. */
  warm(at: Snapshot): Promise<void>
}

/** What answers follow from. */
export interface RepositoryParts {
  readonly engine: Engine
  readonly offloaded: OffloadedBytes
  readonly sortedCopies: SortedCopies
  readonly index: HotspotIndex
  /** That of records; connections give rows, which are not written yet. */
  readonly spelling?: Spelling | undefined
}

export function openRepository(parts: RepositoryParts): Repository {
  const { engine, offloaded, sortedCopies, index, spelling = specifiedSpelling } = parts
  const pages = openPages(engine, sortedCopies)
  const manifestsAt = manifestReader(engine, spelling)
  const makersAt = makerReader(engine, spelling)

  /** Sums that the log carries are answered from it, whatever the range; those of a hotspot by the index. */
  function sumsAtOnce(plan: SumsPlan, at: Snapshot): Sums | undefined {
    const range = groupRangeOf(plan)
    if (range === undefined) {
      const asked = keyedRangeOf(plan)
      return asked && keyedSums(index, plan, asked, at.table(plan.resource))
    }
    const columns = Object.values(plan.sums).map((sum) => sum.column)
    const amounts = at.table(plan.resource).statistics.sums(range, columns)
    const answers: Record<string, bigint> = {}
    for (const [name, { column, as }] of Object.entries(plan.sums)) {
      const sum =
        as === 'amount'
          ? (amounts[column] ?? 0n)
          : offloaded.known(plan.resource, column, range, plan.prices, at)
      if (sum === undefined) return undefined
      answers[name] = sum
    }
    return answers
  }

  async function sums(plan: SumsPlan, at: Snapshot, signal?: AbortSignal): Promise<Sums> {
    const isTold = groupRangeOf(plan) !== undefined
    for (const { column, as } of isTold ? Object.values(plan.sums) : []) {
      if (as === 'offloaded_bytes') await offloaded.prepare(plan.resource, column, plan.prices, at, signal)
    }
    return sumsAtOnce(plan, at) ?? (await engine.sums(plan, at, signal))[0]?.sums ?? {}
  }

  async function totals(
    resource: Resource,
    filters: Filters,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const manifests = await manifestsAt(at, signal)
    return await sums(toSumsPlan(resource, filters, manifests.prices), at, signal)
  }

  async function toRecords(
    resource: Resource,
    rows: readonly Row[],
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<readonly JsonObject[]> {
    const embedded = await readEmbedded(resource, at, manifestsAt, makersAt, signal)
    return rows.map((row) => {
      const id = idOf(resource, row, at)
      return toRecord(resource, row, id, embedded.factsOf(row), embedded.membersOf(row), spelling)
    })
  }

  return {
    async list(resource, filters, page, at, signal) {
      const plan = toRowsPlan(resource, filters, page)
      const keyed = keyedRows(index, plan, at)
      const { total, rows } =
        keyed === undefined ? await pages.read(plan, at, signal) : keyedPage(keyed, plan)
      return { meta: pageMeta(page, total), total, records: await toRecords(resource, rows, at, signal) }
    },

    async find(resource, id, at, signal) {
      const row = await findRow(pages, resource, id, at, signal)
      return row === undefined ? undefined : (await toRecords(resource, [row], at, signal))[0]
    },

    async connection(resource, filters, request, columns, at, signal) {
      const plan = toCountPlan(resource, filters)
      const range = groupRangeOf(plan)
      const asked = { engine, plan, columns, request, at, signal }
      const { placed } = engine
      if (range !== undefined && placed !== undefined) return await rankedConnection(placed, asked, range)
      const keyed = keyedRows(index, plan, at)
      return keyed === undefined ? await searchedConnection(asked) : keyedConnection(keyed, asked)
    },

    manifests: manifestsAt,
    workFor: (signal) => engine.workFor?.(signal),
    totals,

    totalsAtOnce(resource, filters, at) {
      const manifests = manifestsAt.known(at)
      return manifests && sumsAtOnce(toSumsPlan(resource, filters, manifests.prices), at)
    },

    async warm(at) {
      await sortedCopies.load(at)
      await index.load(at)
      for (const resource of resources) if (resource.totals !== undefined) await totals(resource, {}, at)
    },
  }
}
