import type { HitsRequest } from '../../answers/search/hit-of-row.ts'
import { version } from '../../base/version.ts'
import { tablesOf } from '../../catalog/embeddings.ts'
import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import { makers } from '../../catalog/l2/makers.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { tagOf } from './entity-tag.ts'
import { JSON_TYPE } from './representation.ts'

/**
 * Computes strong ETags of an operation from release, table versions, checked request and media type. A 304 therefore needs no
 * search.
 */
export function requestTagger(resource: Resource, operation: readonly string[]) {
  // A series takes owners and names from these tables.
  const named = operation.includes('series') ? [hotspots, makers, l1Gateways] : []
  const tables = [...tablesOf(resource), ...named]
  const stems = new WeakMap<Snapshot, string>()

  function stemOf(at: Snapshot): string {
    const cached = stems.get(at)
    if (cached !== undefined) return cached
    const stem = [version, ...operation, ...tables.map((table) => at.table(table).digest)].join('\0')
    stems.set(at, stem)
    return stem
  }

  return (
    { filters, page, perPage, integersAsText, columns, coverage, fromServed, series, locale }: CheckedQuery,
    at: Snapshot,
    id: string,
    type: string,
  ): string => {
    let text = `${stemOf(at)}\0${page} ${perPage} ${integersAsText}`
    if (series !== undefined) text += `\0${JSON.stringify(series)} ${fromServed ?? ''}`
    for (const name in filters) text += `\0${name}=${filters[name]}`
    for (const { name } of columns ?? []) text += `\0${name}`
    if (locale !== undefined) text += `\0locale ${locale}`
    if (coverage) text += `\0coverage ${fromServed ?? ''}`
    return tagOf(`${text}\0\0${id}${type === JSON_TYPE ? '' : `\0${type}`}`)
  }
}

/** Computes the ETag of a search; paths in its response begin with `prefix`. */
export function searchTag({ q, among, within }: HitsRequest, prefix: string, at: Snapshot): string {
  const tables = among.map(({ resource, face }) => {
    const filters = Object.entries(within(resource)).map(([name, value]) => `${name}=${value}`)
    return [face.kind, at.table(resource).digest, ...filters].join(' ')
  })
  return tagOf([version, 'search', prefix, ...tables, q].join('\0'))
}
