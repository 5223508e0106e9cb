import type { Embedding, Resource, Row } from '../catalog/resource.ts'
import type { Json, JsonObject } from '../derive/json-writer.ts'
import type { Spelling } from '../derive/spelling.ts'
import type { Engine } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { Entry } from './entry.ts'
import { makerReader } from './makers.ts'
import type { ReadManifests } from './manifests.ts'

type ToRecords = (
  resource: Resource,
  rows: readonly Row[],
  at: Snapshot,
  signal?: AbortSignal,
) => Promise<readonly JsonObject[]>

/** Makes records of rows. What they embed is read once for a snapshot, whatever the number of rows. */
export function recordMaker(engine: Engine, manifestsAt: ReadManifests, spelling: Spelling): ToRecords {
  const makersAt = makerReader(engine, spelling)

  return async (resource, rows, at, signal) => {
    const embeds = Object.entries(resource.embeds ?? {})
    const embedsA = (what: Embedding) => embeds.some(([, embedded]) => embedded === what)
    const manifests = embedsA('manifest') ? await manifestsAt(at, signal) : undefined
    const makers = embedsA('maker') ? await makersAt(at, signal) : undefined
    const embedders: Readonly<Record<Embedding, (row: Row) => Json>> = {
      manifest: (row) => manifests?.recordOf(String(row.source_file)) ?? null,
      maker: (row) => makers?.recordOf(row) ?? null,
    }
    return rows.map((row) => {
      const embedded = embeds.map(([name, what]) => [name, embedders[what](row)] as const)
      return new Entry(resource, row, at, manifests).record(Object.fromEntries(embedded), spelling)
    })
  }
}
