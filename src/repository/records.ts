import { makers } from '../catalog/l2/makers.ts'
import type { Embedding, Resource, Row } from '../catalog/resource.ts'
import { type Json, type JsonObject, Shared, Verbatim } from '../derive/json-writer.ts'
import type { Spelling } from '../derive/spelling.ts'
import type { Engine } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { Entry } from './entry.ts'
import type { ReadManifests } from './manifests.ts'
import { onceFor } from './once.ts'

type ToRecords = (
  resource: Resource,
  rows: readonly Row[],
  at: Snapshot,
  signal?: AbortSignal,
) => Promise<readonly JsonObject[]>

/** Finds the makers of hotspots, some eighty, which are read once for each version of their table. */
export function openMakers(engine: Engine, spelling: Spelling) {
  const makersAt = onceFor(engine, makers, (rows, at) => {
    const entries = rows.map((row) => new Entry(makers, row, at))
    return new Map(entries.map((maker) => [maker.id, new Shared(maker.record({}, spelling))]))
  })
  return async (at: Snapshot, signal?: AbortSignal) => {
    const known = await makersAt(at, signal)
    // A maker that is not known is embedded as the import of the hotspot has it.
    return ({ maker_id, maker }: Row): Json =>
      known.get(String(maker_id)) ?? (typeof maker === 'string' ? new Verbatim(maker, 'small') : null)
  }
}

/** Makes records of rows. What they embed is read once for each version of its table: the manifests, and the makers. */
export function recordMaker(
  makersAt: ReturnType<typeof openMakers>,
  manifestsAt: ReadManifests,
  spelling: Spelling,
): ToRecords {
  return async (resource, rows, at, signal) => {
    const embeds = Object.entries(resource.embeds ?? {})
    const embedsA = (what: Embedding) => embeds.some(([, embedded]) => embedded === what)
    const manifests = embedsA('manifest') ? await manifestsAt(at, signal) : undefined
    const makerOf = embedsA('maker') ? await makersAt(at, signal) : () => null
    const embedders: Readonly<Record<Embedding, (row: Row) => Json>> = {
      manifest: (row) => manifests?.recordOf(String(row.source_file)) ?? null,
      maker: makerOf,
    }
    return rows.map((row) => {
      const embedded = embeds.map(([name, what]) => [name, embedders[what](row)] as const)
      return new Entry(resource, row, at, manifests).record(Object.fromEntries(embedded), spelling)
    })
  }
}
