import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Feature } from '../feature.ts'
import type { Resource } from '../resource.ts'
import { type HitKind, hitKinds, type SearchFace } from '../search-face.ts'

export interface Hit {
  readonly kind: HitKind
  /** Id of the record; null for an owner. */
  readonly id: string | null
  /** Key that people use. */
  readonly key: string
  readonly name: string | null
  /** Column that matched, and its text. */
  readonly matched: string
  readonly text: string
  /** True if the whole text equals the query. */
  readonly isExact: boolean
  /** Path of the operation that shows it, below the prefix. */
  readonly path: string
}

/** Hits: exact ones first, then by kind and text. */
export interface Hits {
  readonly hits: readonly Hit[]
  /** Kinds with more hits than shown. */
  readonly more: readonly HitKind[]
}

/** Maximum hits of one kind, and of all. */
export const MOST_OF_KIND = 5
export const MOST_HITS = 20

/** The search of names by their words. */
export const SIMILAR_RULE =
  'Without an exact hit, names of hotspots also match by the beginning of any of their words, with one letter wrong if nothing else matches.'

/** A table to search for one kind of hits. */
export interface SearchedTable {
  readonly resource: Resource
  readonly face: SearchFace
}

/** Tables that a client with these features may search; without features all tables. */
export function searchedTables(
  resources: readonly Resource[],
  features?: readonly Feature[],
): readonly SearchedTable[] {
  return resources
    .filter(({ rest }) => rest?.needs?.every((need) => features?.includes(need) ?? true) ?? true)
    .flatMap((resource) => (resource.search ?? []).map((face) => ({ resource, face })))
    .sort((a, b) => hitKinds.indexOf(a.face.kind) - hitKinds.indexOf(b.face.kind))
}

/** Path of the operation that shows a row, or lists the rows with a value. */
export function pathOfHit({ resource, face }: SearchedTable, identity: string): string {
  const { rest } = resource
  const { listedBy } = face
  const encoded = encodeURIComponent(identity)
  return listedBy === undefined ? `${rest?.path}/${encoded}` : `${rest?.path}?${listedBy}=${encoded}`
}

/** Converts hits to the reply; `prefix` precedes the paths. */
export function hitsRecord(q: string, { hits, more }: Hits, prefix: string): JsonObject {
  const records = hits.map(({ kind, id, key, name, matched, text, isExact, path }) => ({
    ...{ kind, id, key, name, matched, text },
    ...{ is_exact: isExact, path: prefix + path },
  }))
  return { q, hits: records, more }
}
