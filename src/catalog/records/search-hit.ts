import type { JsonObject } from '../../base/values/json-writer.ts'
import type { Feature } from '../feature.ts'
import type { Resource } from '../resource.ts'
import { type HitKind, hitKinds, type SearchFace } from '../search-face.ts'

/** What a search found. */
export interface Hit {
  readonly kind: HitKind
  /** That of its record; null for what has no record of its own. */
  readonly id: string | null
  /** By which people know it. */
  readonly key: string
  readonly name: string | null
  /** The column that matched, and its text. */
  readonly matched: string
  readonly text: string
  /** Whether the whole text is what was searched for. */
  readonly isExact: boolean
  /** Of the operation that shows it, below the prefix. */
  readonly path: string
}

/** What was found, the exact first, then by kind and text. */
export interface Hits {
  readonly hits: readonly Hit[]
  /** Kinds of which there are more than are shown. */
  readonly more: readonly HitKind[]
}

/** At most so many hits of one kind, and of all. */
export const MOST_OF_KIND = 5
export const MOST_HITS = 20

/** A table that is searched, for one kind of hits. */
export interface Searched {
  readonly resource: Resource
  readonly face: SearchFace
}

/** What a caller may find who has some features: all kinds unless they are given. */
export function searchedBy(
  resources: readonly Resource[],
  features?: readonly Feature[],
): readonly Searched[] {
  return resources
    .filter(({ rest }) => rest?.needs?.every((need) => features?.includes(need) ?? true) ?? true)
    .flatMap((resource) => (resource.search ?? []).map((face) => ({ resource, face })))
    .sort((a, b) => hitKinds.indexOf(a.face.kind) - hitKinds.indexOf(b.face.kind))
}

/** The operation that shows a row, or all rows that have a value. */
export function pathOfHit({ resource, face }: Searched, identity: string): string {
  const { rest } = resource
  const { listedBy } = face
  const asked = encodeURIComponent(identity)
  return listedBy === undefined ? `${rest?.path}/${asked}` : `${rest?.path}?${listedBy}=${asked}`
}

/** The reply to a search; `prefix` stands before the paths. */
export function hitsRecord(q: string, { hits, more }: Hits, prefix: string): JsonObject {
  const records = hits.map(({ kind, id, key, name, matched, text, isExact, path }) => ({
    ...{ kind, id, key, name, matched, text },
    ...{ is_exact: isExact, path: prefix + path },
  }))
  return { q, hits: records, more }
}
