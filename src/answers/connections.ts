import { runAtOnce, runInSlices } from '../base/slices.ts'
import type { ConnectionRequest } from '../catalog/query/connection.ts'
import type { Filters } from '../catalog/query/filter-values.ts'
import { toCountPlan } from '../catalog/query/to-plan.ts'
import type { Resource } from '../catalog/resource.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { Entry, EntrySource } from './records/entry.ts'
import type { ReadManifests } from './records/manifests.ts'
import type { ReadMakers } from './records/records.ts'
import { type AccessPaths, type Choice, choose } from './rows/choose.ts'
import type { Connection, ConnectionQuery, ConnectionRows, FieldNeeds } from './rows/connection.ts'
import { connectionOfIndex, connectionOfKey } from './rows/index-connection.ts'
import { MOST_AT_ONCE } from './rows/pages.ts'
import { rankedConnection } from './rows/ranked-connection.ts'
import { searchedConnection } from './rows/searched-connection.ts'

export interface Connections {
  /** Rows between two cursors. */
  connection(
    resource: Resource,
    filters: Filters,
    request: ConnectionRequest,
    needs: FieldNeeds,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<Connection>
  /** Returns the same rows without I/O, and the access path; undefined if that is not possible. Errors: DamagedFile. */
  peekConnection(
    resource: Resource,
    filters: Filters,
    request: ConnectionRequest,
    needs: FieldNeeds,
    at: Snapshot,
  ): (Connection<boolean> & { readonly by: 'index' }) | undefined
}

/** Opens the reads of lists by cursor, for GraphQL. `note` records the access path that answered a signal. */
export function openConnections(
  parts: AccessPaths & { readonly manifests: ReadManifests },
  makersAt: ReadMakers,
  note: (by: Choice['by'], signal: AbortSignal | undefined) => void,
): Connections {
  const { engine, index, blocks, manifests: manifestsAt } = parts

  function rowsOfKey({ key, range }: Extract<Choice, { key: string }>, query: ConnectionQuery) {
    const rows = index.rows(query.at.table(query.plan.resource), key, range)
    return rows && connectionOfKey(query, rows)
  }

  async function rowsOf(choice: Choice, query: ConnectionQuery): Promise<ConnectionRows> {
    const { signal } = query
    const list =
      'key' in choice
        ? rowsOfKey(choice, query)
        : choice.by === 'index' &&
          (await blocks.attemptLater(() => runInSlices(connectionOfIndex(query, blocks, choice), signal)))
    if (list) return list
    note('engine', signal)
    const range =
      'logged' in choice && choice.logged && 'range' in choice.logged ? choice.logged.range : undefined
    return range !== undefined && engine.byRowNumber !== undefined
      ? await rankedConnection(engine.byRowNumber, query, range)
      : await searchedConnection(query)
  }

  return {
    async connection(resource, filters, request, needs, at, signal) {
      const plan = toCountPlan(resource, filters)
      const choice = choose('connection', plan, at, parts)
      note(choice.by, signal)
      const query = { engine, plan, columns: needs.columns, request, at, signal }
      const { rows, ...around } = await rowsOf(choice, query)
      const manifests = needs.manifests ? await manifestsAt(at, signal) : undefined
      const makerOf = needs.makers ? await makersAt(at, signal) : undefined
      const source = new EntrySource(resource, at, manifests, makerOf)
      return { ...around, nodes: rows.map((row) => new Entry(source, row)) }
    },

    peekConnection(resource, filters, request, needs, at) {
      const [manifests, makerOf] = [manifestsAt.peek(at), makersAt.peek(at)]
      if ((needs.manifests && !manifests) || (needs.makers && !makerOf)) return undefined
      const plan = toCountPlan(resource, filters)
      const choice = choose('connection', plan, at, parts)
      if (choice.by !== 'index' || ('compared' in choice && choice.compared > MOST_AT_ONCE)) return undefined
      const query = { engine, plan, columns: needs.columns, request, at, signal: undefined }
      const connection =
        'key' in choice
          ? rowsOfKey(choice, query)
          : blocks.attempt(() => runAtOnce(connectionOfIndex(query, blocks, choice)))
      if (connection === undefined) return undefined
      const source = new EntrySource(resource, at, manifests, makerOf)
      return { ...connection, by: 'index', nodes: connection.rows.map((row) => new Entry(source, row)) }
    },
  }
}
