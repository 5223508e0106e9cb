import type { GraphqlFace, Lookup, Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import { writeInstant } from '../derive/instant.ts'
import { parametersOf } from '../derive/query-schema.ts'
import type { Snapshot } from '../lake/snapshot.ts'

/** An operation and an address, relative to the server. */
export interface Example {
  readonly summary: string
  readonly path: string
  readonly address: string
  /** Whether there is something to ask for, so that the address answers now. */
  readonly isAnswered: boolean
  readonly parameters: readonly string[]
}

/** One example for each operation, over all that the snapshot holds. */
export function examplesOf(prefix: string, snapshot: Snapshot | undefined): readonly Example[] {
  const operations = resources.flatMap((resource) => {
    if (resource.rest === undefined) return []
    const { path, summary, totals, find } = resource.rest
    const range = resource.tally === undefined ? '' : wholeRange(resource, snapshot)
    const isAnswered = (snapshot?.table(resource).rows ?? 0) > 0
    const list: Example = {
      summary,
      path: prefix + path,
      address: `${prefix}${path}?${range}per_page=2`,
      isAnswered,
      parameters: parametersOf(resource, 'list'),
    }
    if (find !== undefined) return [list, lookup(resource, prefix + path, find)]
    if (totals === undefined) return [list]
    const sums: Example = {
      summary: `${summary}, summed`,
      path: `${prefix}${path}/totals`,
      address: `${prefix}${path}/totals?${range.replace(/&$/, '')}`,
      isAnswered,
      parameters: parametersOf(resource, 'totals'),
    }
    return [list, sums]
  })
  const persisted = resources.flatMap(({ graphql }) =>
    graphql?.persisted === undefined ? [] : [byCursor(graphql, snapshot !== undefined)],
  )
  return [...operations, ...persisted]
}

function lookup(resource: Resource, path: string, { thing, by }: Lookup): Example {
  return {
    summary: `${thing} of an id${by.map((column) => `, or ${column}`).join('')}`,
    path: `${path}/{id}`,
    address: '',
    isAnswered: false,
    parameters: parametersOf(resource, 'find'),
  }
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

/** `from` lies just before the first period, since it must be before `to`. */
function wholeRange(resource: Resource, snapshot: Snapshot | undefined): string {
  const periods = snapshot?.table(resource).tally.periods ?? []
  const [first] = periods
  const last = periods.at(-1)
  if (first === undefined || last === undefined) return ''
  return `from=${writeInstant(first - 1_000_000n)}&to=${writeInstant(last)}&`
}
