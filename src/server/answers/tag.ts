import { createHash } from 'node:crypto'
import { makers } from '../../catalog/l2/makers.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { CheckedQuery } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import { version } from '../../version.ts'

const embedded = { manifest: rewardManifests, maker: makers } as const

/** The tables that answers about a resource follow from. */
function tablesOf(resource: Resource): readonly Resource[] {
  return [resource, ...Object.values(resource.embeds ?? {}).map((what) => embedded[what])]
}

/**
 * A strong tag: it names the release, the versions of the tables that the answer follows from, and the request as it was
 * understood. Equal tags are equal bytes, so nothing needs to be looked up to say that a copy is still good.
 */
export function tagOf(
  resource: Resource,
  asked: readonly string[],
  { filters, page, perPage, integersAsText }: CheckedQuery,
  at: Snapshot,
): string {
  const values = Object.entries(filters).map(([name, value]) => [name, `${typeof value}`, String(value)])
  const tables = tablesOf(resource).map((one) => at.table(one).digest)
  const text = JSON.stringify([version, tables, asked, values, page, perPage, integersAsText])
  return createHash('sha256').update(text).digest('base64url').slice(0, 27)
}

/**
 * What a caller has of what a tag stands for, quoted; undefined if it has nothing. Compressed bytes have a tag of their
 * own, and a cache may have made it a weak one. `*` asks whether there is anything, which a tag does not know.
 */
export function heldTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  const held = ifNoneMatch?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held?.find((one) => one === `"${tag}"` || one === `"${tag}-gzip"`)
}
