import { rateRatio, type TimedCase } from '../peers/measure.ts'
import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import { median, type Spread } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'
import type { Postgraphile } from './postgraphile.ts'

/** GraphQL and REST of the program, and PostGraphile with both sizes of its pool. */
export type PageLabel = 'graphql' | 'rest' | 'postgraphile' | 'wide'

/** Times are microseconds. */
export interface GraphqlCase {
  readonly name: string
  readonly bodyBytes: number
  readonly times: Spread & { readonly micros: readonly number[] }
  /** Middle time divided by that of the REST page of the same rows; null where there is none. */
  readonly toRest: number | null
}

export interface GraphqlResult extends Result<GraphqlCase> {
  /** Results before 2026-11-28 lack them. */
  readonly pages?: readonly TimedCase<PageLabel>[]
  readonly peer?: Postgraphile['versions'] | undefined
  readonly isPinned?: boolean
}

export function graphqlTables(result: GraphqlResult): string {
  return [...pagesTable(result), queriesTable(result)].join('\n\n')
}

function pagesTable({ pages = [], peer, isPinned }: GraphqlResult): readonly string[] {
  if (pages.length === 0) return []
  const versions =
    peer === undefined
      ? 'PostgreSQL was not there'
      : `PostGraphile ${peer.postgraphile}, PostgreSQL ${peer.postgres}`
  const rows = pages.map((one) => {
    const { graphql } = one.implementations
    const toPools = (['postgraphile', 'wide'] as const).flatMap(
      (pool) => rateRatio(one, 'graphql', pool) ?? [],
    )
    return [
      one.name,
      String(one.connections),
      ...[graphql?.p50, graphql?.p99].map((micros) => digitsOr(micros && micros / 1000)),
      whole(median(graphql?.perSecond ?? [])),
      digitsOr(toPools.length === 0 ? null : Math.min(...toPools)),
      digitsOr(rateRatio(one, 'rest', 'graphql')),
    ]
  })
  const head = ['page', 'c', 'p50 ms', 'p99 ms', 'req/s', 'req/s to PostGraphile', 'REST to it']
  return [
    `${versions}; load generator ${isPinned ? 'kept to the last core' : 'on any core'}.`,
    markdownTable(head, rows),
  ]
}

function queriesTable({ cases }: GraphqlResult): string {
  const rows = cases.map(({ name, bodyBytes, times, toRest }) => [
    name,
    ...[times.p50, times.p99, times.max].map((micros) => digits(micros / 1000)),
    digitsOr(toRest),
    digits(bodyBytes / 1000),
  ])
  return markdownTable(['query', 'p50 ms', 'p99 ms', 'max ms', 'to REST', 'kB'], rows)
}
