import { hash } from 'node:crypto'
import { tablesOf } from '../../catalog/embeddings.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { CheckedQuery } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import { version } from '../../version.ts'

const TAG_LENGTH = 27

/**
 * Makes the strong tags of an operation: they name the release, the versions of the tables that an answer follows from, and
 * the request as it was understood. Equal tags are equal bytes, so nothing needs to be looked up to say that a copy is
 * still good.
 */
export function tagger(resource: Resource, operation: readonly string[]) {
  const tables = tablesOf(resource)
  const stems = new WeakMap<Snapshot, string>()

  function stemOf(at: Snapshot): string {
    const known = stems.get(at)
    if (known !== undefined) return known
    const stem = [version, ...operation, ...tables.map((one) => at.table(one).digest)].join('\0')
    stems.set(at, stem)
    return stem
  }

  return ({ filters, page, perPage, integersAsText }: CheckedQuery, at: Snapshot, id: string): string => {
    let text = `${stemOf(at)}\0${page} ${perPage} ${integersAsText}`
    for (const name in filters) text += `\0${name}=${filters[name]}`
    return digestOf(`${text}\0\0${id}`)
  }
}

/** A tag of what a text or bytes are. */
export function digestOf(bytes: string | Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)
}

/**
 * What a caller has of what a tag stands for, quoted; undefined if it has nothing. Compressed bytes have a tag of their
 * own, and a cache may have made it a weak one. `*` asks whether there is anything, which a tag does not know.
 */
export function heldTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const [plain, compressed] = [`"${tag}"`, `"${tag}-gzip"`]
  if (ifNoneMatch === plain) return plain
  const held = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held.find((one) => one === plain || one === compressed)
}
