import { unlessDamaged } from '../base/errors.ts'
import { DAY_MICROS } from '../base/values/epoch-day.ts'
import { readInstant, writeInstant } from '../base/values/instant.ts'
import type { GraphqlFace, Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { MOST_DAYS } from './contract/hosted-sums.ts'
import { operationsOf, type RestOperation } from './contract/operations.ts'
import { parametersOf, type QueryDialect } from './contract/query-schema.ts'

/** An operation and an address, relative to the server. */
export interface Example {
  readonly summary: string
  readonly path: string
  readonly address: string
  /** True if the table has rows. */
  readonly isAnswered: boolean
  readonly parameters: readonly string[]
}

/** Returns an example of each operation of a dialect, over all periods of the snapshot. */
export function examplesOf(
  prefix: string,
  snapshot: Snapshot | undefined,
  queries: QueryDialect,
): readonly Example[] {
  const operations = operationsOf(resources, queries).map(
    (operation) =>
      unlessDamaged(() => exampleOf(operation, prefix, snapshot, queries)) ??
      exampleOf(operation, prefix, undefined, queries),
  )
  const persisted = resources.flatMap(({ graphql }) =>
    graphql?.persisted === undefined ? [] : [byCursor(graphql, snapshot !== undefined)],
  )
  return [...operations, ...persisted]
}

function exampleOf(
  { resource, kind, path, summary }: RestOperation,
  prefix: string,
  snapshot: Snapshot | undefined,
  queries: QueryDialect,
): Example {
  const parameters = parametersOf(resource, kind, queries)
  const common = { summary, path: prefix + path, parameters }
  if (kind === 'find') return { ...common, address: '', isAnswered: false }
  const range = wholeRange(resource, snapshot)
  const given = {
    ...(kind === 'daily' ? withinDays(range) : range),
    ...(kind === 'list' && { per_page: '2' }),
  }
  const query = Object.entries(given).map(([name, value]) => `${name}=${value}`)
  const isAnswered = (snapshot?.table(resource).rows ?? 0) > 0
  return { ...common, address: `${prefix}${path}?${query.join('&')}`, isAnswered }
}

function byCursor({ query, persisted, arguments: named }: GraphqlFace, isAnswered: boolean): Example {
  const path = `/graphql/${persisted}`
  return {
    summary: `${query} of GraphQL, without writing a query`,
    path,
    address: `${path}?first=2`,
    isAnswered,
    parameters: [...Object.keys(named), 'first', 'after', 'last', 'before'],
  }
}

/**
 * Returns the range of all periods; empty without periods. `from` precedes the first period, since it must be before
 * `to`.
 */
export function wholeRange(
  resource: Resource,
  snapshot: Snapshot | undefined,
): Readonly<Record<string, string>> {
  const periods =
    resource.statistics === undefined ? [] : (snapshot?.table(resource).statistics.periods ?? [])
  const [first] = periods
  const last = periods.at(-1)
  if (first === undefined || last === undefined) return {}
  return { from: writeInstant(first - 1_000_000n), to: writeInstant(last) }
}

/** Limits the range of filters to the days of daily sums. */
export function withinDays(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { from = '', to = '' } = given
  const earliest = (readInstant(to) ?? 0n) - BigInt(MOST_DAYS) * DAY_MICROS
  return (readInstant(from) ?? earliest) < earliest ? { ...given, from: writeInstant(earliest) } : given
}
