import type { HitsRequest } from '../../answers/search/hit-of-row.ts'
import { version } from '../../base/version.ts'
import { tablesOf } from '../../catalog/embeddings.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { CheckedQuery } from '../contract/query-schema.ts'
import { digestOf } from './entity-tag.ts'
import { JSON_TYPE } from './representation.ts'

/**
 * Makes the strong tags of an operation, of the release, the versions of the tables that a reply follows from, the checked
 * request, and the media type where that is not JSON. Equal tags are equal bytes, so a copy is confirmed without a search.
 */
export function tagger(resource: Resource, operation: readonly string[]) {
  // Owners and makers of a series are those of the hotspots.
  const tables = [...tablesOf(resource), ...(operation.includes('series') ? [hotspots] : [])]
  const stems = new WeakMap<Snapshot, string>()

  function stemOf(at: Snapshot): string {
    const known = stems.get(at)
    if (known !== undefined) return known
    const stem = [version, ...operation, ...tables.map((one) => at.table(one).digest)].join('\0')
    stems.set(at, stem)
    return stem
  }

  return (
    { filters, page, perPage, integersAsText, columns, coverage, fromServed, series }: CheckedQuery,
    at: Snapshot,
    id: string,
    type: string,
  ): string => {
    let text = `${stemOf(at)}\0${page} ${perPage} ${integersAsText}`
    if (series !== undefined) text += `\0${JSON.stringify(series)} ${fromServed ?? ''}`
    for (const name in filters) text += `\0${name}=${filters[name]}`
    for (const { name } of columns ?? []) text += `\0${name}`
    if (coverage) text += `\0coverage ${fromServed ?? ''}`
    return digestOf(`${text}\0\0${id}${type === JSON_TYPE ? '' : `\0${type}`}`)
  }
}

/** The tag of the reply to a search; the paths in it begin with `prefix`. */
export function searchTag({ q, among, within }: HitsRequest, prefix: string, at: Snapshot): string {
  const tables = among.map(({ resource, face }) => {
    const filters = Object.entries(within(resource)).map(([name, value]) => `${name}=${value}`)
    return [face.kind, at.table(resource).digest, ...filters].join(' ')
  })
  return digestOf([version, 'search', prefix, ...tables, q].join('\0'))
}
