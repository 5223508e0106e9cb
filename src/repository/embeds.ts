import type { Embedding, Resource, Row } from '../catalog/resource.ts'
import type { Json, JsonObject } from '../derive/json-writer.ts'
import { type ManifestFacts, noFacts } from '../derive/member.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { ReadMakers } from './makers.ts'
import type { ReadManifests } from './manifests.ts'

/** What the records of one page embed, and what their manifests add to them. */
export interface Embedded {
  membersOf(row: Row): JsonObject
  factsOf(row: Row): ManifestFacts
}

type EmbedOf = (row: Row) => Json

const nothing: Embedded = { membersOf: () => ({}), factsOf: () => noFacts }

/** Reads what records of a resource embed: each other table once for a snapshot, whatever the number of rows. */
export async function readEmbedded(
  { embeds }: Resource,
  at: Snapshot,
  manifestsAt: ReadManifests,
  makersAt: ReadMakers,
  signal?: AbortSignal,
): Promise<Embedded> {
  if (embeds === undefined) return nothing
  const kinds = Object.values(embeds)
  const manifests = kinds.includes('manifest') ? await manifestsAt(at, signal) : undefined
  const makers = kinds.includes('maker') ? await makersAt(at, signal) : undefined
  const embedders: Readonly<Record<Embedding, EmbedOf>> = {
    manifest: (row) => manifests?.recordOf(String(row.source_file)) ?? null,
    maker: (row) => makers?.recordOf(row) ?? null,
  }
  return {
    membersOf: (row) =>
      Object.fromEntries(Object.entries(embeds).map(([name, what]) => [name, embedders[what](row)])),
    factsOf: (row) => manifests?.factsOf(String(row.source_file)) ?? noFacts,
  }
}
