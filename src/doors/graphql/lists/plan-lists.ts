import { type GraphQLSchema, getArgumentValues, getVariableValues } from 'graphql'
import type { Repository } from '../../../answers/repository.ts'
import type { RawQuery } from '../../../base/parameter-text.ts'
import { version } from '../../../base/version.ts'
import { tablesOf } from '../../../catalog/embeddings.ts'
import type { ConnectionRequest } from '../../../catalog/query/connection.ts'
import type { Filters } from '../../../catalog/query/filter-values.ts'
import type { ApiKey } from '../../../keys/api-key.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { MOST_NODES } from '../../contract/page-parameters.ts'
import { requireFeatures } from '../../gate/gate.ts'
import { narrowToLookBack } from '../../gate/look-back.ts'
import { tagOf } from '../../reply/entity-tag.ts'
import type { PagingArguments } from '../schema/connection-arguments.ts'
import type { ListQuery, SelectedList } from './list-query.ts'

/** The variables and the client of a query, and the snapshot that answers it. */
export interface ListClient {
  readonly variables: Readonly<Record<string, unknown>>
  readonly key: ApiKey | null
  readonly at: Snapshot
}

interface PlannedList {
  readonly selected: SelectedList
  readonly filters: Filters
  readonly paging: ConnectionRequest
}

/** The lists of a query with their arguments, before data is read. */
export interface PlannedQuery {
  readonly at: Snapshot
  readonly lists: readonly PlannedList[]
  /** Start of a range that the look-back of the key cut, in microseconds since 1970. */
  readonly from: bigint | undefined
  /** Strong ETag of the response if every list has rows. */
  readonly tag: () => string
}

/** Returns undefined if graphql has to execute the query: for any error, an argument beyond its limit, and paid days. */
export function planLists(
  schema: GraphQLSchema,
  query: ListQuery,
  { variables, key, at }: ListClient,
): PlannedQuery | undefined {
  const { coerced, errors } = getVariableValues(schema, query.operation.variableDefinitions ?? [], variables)
  if (errors !== undefined) return undefined
  const lists: PlannedList[] = []
  let from: bigint | undefined
  for (const selected of query.lists) {
    const { node, field, list } = selected
    const given = getArgumentValues(field, node, coerced) as PagingArguments & RawQuery
    if (key !== null) requireFeatures(key, list.features)
    if ((given.first ?? 0) > MOST_NODES || (given.last ?? 0) > MOST_NODES) return undefined
    const { filters, days, paging } = list.read(given)
    if (days !== undefined) return undefined
    const narrowed = narrowToLookBack(list.resource, filters, key)
    from ??= narrowed.from
    lists.push({ selected, filters: narrowed.filters, paging })
  }
  const tag = () => {
    const tables = new Set(query.lists.flatMap(({ list }) => tablesOf(list.resource)))
    const digests = [...tables].map((table) => at.table(table).digest)
    return tagOf(
      [version, 'graphql', ...digests, from ?? '', query.text, JSON.stringify(variables)].join('\0'),
    )
  }
  return { at, lists, from, tag }
}

/** Returns the JSON text of `data` without I/O. Undefined if that is not possible, or if a list is empty. Errors: `lake_damaged`. */
export function readLists({ at, lists }: PlannedQuery, repository: Repository): string | undefined {
  let text = '{'
  let separator = ''
  for (const { selected, filters, paging } of lists) {
    const { list, needs, label, write } = selected
    const connection = repository.peekConnection(list.resource, filters, paging, needs, at)
    // graphql says which values of an empty list are unknown.
    if (connection === undefined || connection.nodes.length === 0) return undefined
    text += separator + label + write(connection)
    separator = ','
  }
  return `${text}}`
}
