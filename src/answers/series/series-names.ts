import { isSliceOver, nextSlice, runInSlices, type Steps } from '../../base/slices.ts'
import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import { makers } from '../../catalog/l2/makers.ts'
import { whereKeys } from '../../catalog/query/plan.ts'
import type { SeriesRequest } from '../../catalog/query/series-parameters.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { idReader } from '../records/entry.ts'
import { onceFor } from '../records/once.ts'
import type { AccessPaths } from '../rows/choose.ts'
import { searchByText } from '../search/rows-by-text.ts'

/** Names by group; groups without a name are absent. */
export type GroupNames = ReadonlyMap<string, string>

export const noNames: GroupNames = new Map()

/** Reads the current names of the hotspots or makers that are the groups of a series. Owners have no names. */
export type ReadGroupNames = (
  resource: Resource,
  request: Pick<SeriesRequest, 'groupBy'>,
  groups: readonly string[],
  at: Snapshot,
  signal?: AbortSignal,
) => Promise<GroupNames>

interface NamedTable {
  readonly resource: Resource
  readonly key: string
}

const ofHotspots: readonly NamedTable[] = [{ resource: hotspots, key: 'ecc_key' }]
const ofGateways: readonly NamedTable[] = [...ofHotspots, { resource: l1Gateways, key: 'address' }]

export function openGroupNames({ engine, blocks }: Pick<AccessPaths, 'engine' | 'blocks'>): ReadGroupNames {
  const makersAt = onceFor(engine, makers, (rows, at): GroupNames => {
    const idOf = idReader(makers, at)
    return new Map(rows.map((row) => [idOf(row), row.name] as const))
  })

  /** Rows with a name of each key, by the index of the keys; undefined without one. */
  function* rowsInIndex(
    { resource, key }: NamedTable,
    keys: readonly string[],
    at: Snapshot,
  ): Steps<readonly Row[] | undefined> {
    const named: Row[] = []
    const columns = [key, 'name']
    for (const value of keys) {
      const range = { resource, column: key, from: value, to: value, columns, predicates: [] }
      const search = searchByText(blocks, at.table(resource), range)
      const rows = search && (yield* search.first(1, columns))
      if (rows === undefined) return undefined
      named.push(...rows)
      yield
    }
    return named
  }

  async function rowsOf(table: NamedTable, keys: readonly string[], at: Snapshot, signal?: AbortSignal) {
    const rows = await blocks.attemptLater(() => runInSlices(rowsInIndex(table, keys, at), signal))
    if (rows !== undefined) return rows
    const { resource, key } = table
    const plan = { resource, where: whereKeys(key, keys), columns: [key, 'name'], offset: 0 }
    return await engine.rows({ ...plan, limit: at.table(resource).rows }, at, signal)
  }

  return async (resource, { groupBy }, groups, at, signal) => {
    if (groups.length === 0) return noNames
    if (groupBy === 'maker') return await makersAt(at, signal)
    if (groupBy !== 'hotspot') return noNames
    const names = new Map<string, string>()
    for (const table of resource.keyed === undefined ? ofGateways : ofHotspots) {
      const nameless = groups.filter((group) => !names.has(group))
      if (nameless.length === 0 || at.table(table.resource).rows === 0) continue
      for (const row of await rowsOf(table, nameless, at, signal)) {
        if (isSliceOver()) await nextSlice(signal)
        // The first row of a key counts.
        const group = String(row[table.key])
        if (row.name !== null && !names.has(group)) names.set(group, String(row.name))
      }
    }
    return names
  }
}
