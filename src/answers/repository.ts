import type { Written } from '../base/values/json-writer.ts'
import type { Filters } from '../catalog/query/filter-values.ts'
import { type PageMeta, type PageRequest, pageMeta } from '../catalog/query/page.ts'
import type { RowsPlan } from '../catalog/query/plan.ts'
import { toCountPlan, toFirstPlan, toRowsPlan } from '../catalog/query/to-plan.ts'
import { idColumns } from '../catalog/records/record.ts'
import { type Spelling, specifiedSpelling } from '../catalog/records/spelling.ts'
import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import type { Work } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { type Connections, openConnections } from './connections.ts'
import { type Coverages, openCoverages } from './coverage/coverages.ts'
import { type DayRanges, openDayRanges } from './coverage/paid-days.ts'
import { idReader } from './records/entry.ts'
import { type Estimate, estimateOf } from './records/estimate.ts'
import { isMeant, type Lookup, looksFor } from './records/find.ts'
import { noManifest, type RowFacts } from './records/manifests.ts'
import { openMakers, recordMaker } from './records/records.ts'
import { type Choice, choose } from './rows/choose.ts'
import { type ListOfKey, listsOfKeys } from './rows/lists-of-keys.ts'
import { openPages } from './rows/pages.ts'
import { type WholeList, wholeList } from './rows/whole-list.ts'
import { type FindHits, openHits } from './search/hits.ts'
import { type FindNamed, openNamedHotspots } from './search/named-hotspots.ts'
import { type AskSeries, openSeries } from './series/series.ts'
import { Epochs } from './series/series-epochs.ts'
import { planTotals, type SumParts, type Totals } from './totals/totals.ts'
import { openTotalsOfKeys, type TotalsOfKeys } from './totals/totals-of-keys.ts'
import { type FindUnknown, openUnknown } from './unknown/unknown.ts'

export interface RecordPage {
  readonly meta: PageMeta
  /** Matching records over all pages. */
  readonly total: number
  readonly records: readonly Written[]
}

/** The access path that answered, and the engine statistics. */
interface Answering extends Work {
  readonly by: Choice['by'] | undefined
}

/** A request whose access path is chosen once, before a data file is read. */
interface Query<Result> {
  /** Returns the result without I/O; undefined if that is not possible. */
  peek(): (Result & { readonly by: Choice['by'] }) | undefined
  estimate(): Estimate
  read(signal?: AbortSignal): Promise<Result>
}

/** Result of a lookup; undefined if there is no such record. */
interface FoundRecord {
  readonly record: Written | undefined
}

/** Reads of any resource. A call reads only from its snapshot. */
export interface Repository extends Connections {
  list(resource: Resource, filters: Filters, page: PageRequest, at: Snapshot): Query<RecordPage>
  /** Finds the record of an id, or of a value of a column in `rest.find`. */
  find(resource: Resource, id: string, at: Snapshot): Query<FoundRecord>
  /** All rows of a list, with these columns and the row values that need the snapshot. */
  whole(
    resource: Resource,
    filters: Filters,
    columns: readonly string[],
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<WholeList & RowFacts & Pick<RepositoryParts, 'scratchFolder'>>
  /** The same for each key of the column `of`, read together. */
  wholes(
    resource: Resource,
    filters: Filters,
    keys: Keys,
    columns: readonly string[],
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<{ readonly lists: AsyncGenerator<ListOfKey> } & RowFacts>
  totals(resource: Resource, filters: Filters, at: Snapshot): Totals
  /** Totals of each hotspot, read together. */
  readonly totalsOfKeys: TotalsOfKeys
  readonly coverages: Coverages
  readonly dayRanges: DayRanges
  readonly series: AskSeries
  /** Finds texts by equality or prefix in the searchable tables. */
  readonly hits: FindHits
  /** Finds hotspot keys by name. */
  readonly named: FindNamed
  /** Finds keys, addresses and names of a request that no row has. */
  readonly unknown: FindUnknown
  /** The last access path chosen for a signal, and the engine statistics. */
  workFor(signal: AbortSignal): Answering
  /** Computes all totals and coverages before the first request. */
  warm(at: Snapshot): Promise<void>
}

export interface RepositoryParts extends SumParts {
  /** Folder for temporary files of exports; by default that of the system. */
  readonly scratchFolder?: string | undefined
  /** Spelling of records; GraphQL nodes always use the specified one. */
  readonly spelling?: Spelling | undefined
}

/** Values of a column. */
interface Keys {
  readonly of: string
  readonly keys: readonly string[]
}

interface ChosenLookup {
  readonly plan: RowsPlan
  readonly choice: Choice
}

export function openRepository(parts: RepositoryParts): Repository {
  const { engine, manifests: manifestsAt, blocks, scratchFolder, spelling = specifiedSpelling } = parts
  const coverages = openCoverages(engine, manifestsAt)
  const epochs = new Epochs(engine)
  const pages = openPages(parts)
  const makersAt = openMakers(engine, spelling)
  const toRecords = recordMaker(makersAt, manifestsAt, spelling)
  const chosen = new WeakMap<AbortSignal, Answering['by']>()

  /** Records the access path that answered a signal. */
  function note(by: Answering['by'], signal: AbortSignal | undefined): void {
    if (signal !== undefined) chosen.set(signal, by)
  }

  async function rowFacts(resource: Resource, at: Snapshot, signal?: AbortSignal): Promise<RowFacts> {
    const manifests = Object.values(resource.embeds ?? {}).includes('manifest')
      ? await manifestsAt(at, signal)
      : undefined
    return {
      idOf: idReader(resource, at),
      manifestOf: (file) => manifests?.valuesOf(file) ?? noManifest,
    }
  }

  return {
    list(resource, filters, page, at) {
      const plan = toRowsPlan(resource, filters, page)
      const choice = choose('page', plan, at, parts)
      const pageOf = (total: number, records: readonly Written[]) => ({
        meta: pageMeta(page, total),
        total,
        records,
      })
      return {
        peek() {
          const pageRows = pages.peek(choice, plan, at)
          const records = pageRows && toRecords.peek(resource, pageRows.rows, at)
          return pageRows && records && { ...pageOf(pageRows.total, records), by: pageRows.by }
        },
        estimate: () => estimateOf(choice, plan, page.perPage, at),
        async read(signal) {
          note(choice.by, signal)
          const pageRows = pages.peek(choice, plan, at) ?? (await pages.read(choice, plan, at, signal))
          note(pageRows.by, signal)
          return pageOf(pageRows.total, await toRecords(resource, pageRows.rows, at, signal))
        },
      }
    },

    find(resource, id, at) {
      const looks = looksFor(resource, id)
      const chosen: ChosenLookup[] = []

      /** Chooses the access path of a lookup once. */
      function chosenLookup(index: number, { where }: Pick<Lookup, 'where'>): ChosenLookup {
        const plan = toFirstPlan(resource, where)
        const lookup = chosen[index] ?? { plan, choice: choose('page', plan, at, parts) }
        chosen[index] = lookup
        return lookup
      }

      return {
        peek() {
          let by: Choice['by'] = 'index'
          for (const [index, look] of looks.entries()) {
            const { plan, choice } = chosenLookup(index, look)
            const pageRows = pages.peek(choice, plan, at)
            if (pageRows === undefined) return undefined
            by = pageRows.by
            const [row] = pageRows.rows
            if (row === undefined || !isMeant(look, resource, row, at)) continue
            const records = toRecords.peek(resource, [row], at)
            return records && { record: records[0], by }
          }
          return { record: undefined, by }
        },
        estimate() {
          const { plan, choice } = chosenLookup(0, looks[0] ?? { where: [] })
          return estimateOf(choice, plan, 1, at)
        },
        async read(signal) {
          for (const [index, look] of looks.entries()) {
            const { plan, choice } = chosenLookup(index, look)
            note(choice.by, signal)
            const page = pages.peek(choice, plan, at)
            const row = page ? page.rows[0] : await pages.first(choice, plan, at, signal)
            if (row === undefined || !isMeant(look, resource, row, at)) continue
            return { record: (await toRecords(resource, [row], at, signal))[0] }
          }
          return { record: undefined }
        },
      }
    },

    ...openConnections(parts, makersAt, note),

    async whole(resource, filters, columns, at, signal) {
      const followed = columns.flatMap((name) => (name in resource.columns ? [name] : idColumns(resource)))
      const needed = [...new Set(followed)]
      const plan = { ...toCountPlan(resource, filters), columns: needed }
      const choice = choose('page', plan, at, parts)
      note(choice.by, signal)
      const list = await wholeList(parts, choice, plan, at, signal)
      return { ...list, scratchFolder, ...(await rowFacts(resource, at, signal)) }
    },

    async wholes(resource, filters, { of, keys }, columns, at, signal) {
      const plan = { ...toCountPlan(resource, filters), columns, of }
      const lists = listsOfKeys(parts, plan, keys, at, signal)
      return { lists, ...(await rowFacts(resource, at, signal)) }
    },

    coverages,
    dayRanges: openDayRanges(epochs, manifestsAt),
    series: openSeries(parts, epochs),
    hits: openHits(engine, blocks),
    named: openNamedHotspots(engine),
    unknown: openUnknown(parts, pages),

    totals: (resource, filters, at) => planTotals(parts, resource, filters, at),
    totalsOfKeys: openTotalsOfKeys(parts),

    workFor(signal) {
      const { statements, files } = engine.workFor?.(signal) ?? { statements: 0, files: 0 }
      return { by: chosen.get(signal), statements, files }
    },

    async warm(at) {
      for (const resource of resources)
        if (resource.totals !== undefined) await planTotals(parts, resource, {}, at).read()
      await manifestsAt(at)
      for (const resource of resources) coverages.peek(resource, at)
    },
  }
}
