import { type Json, Shared, Verbatim, type Written } from '../../base/values/json-writer.ts'
import type { Value } from '../../catalog/column.ts'
import { makers } from '../../catalog/l2/makers.ts'
import { noFacts } from '../../catalog/records/member.ts'
import type { RecordContext } from '../../catalog/records/member-text.ts'
import type { Spelling } from '../../catalog/records/spelling.ts'
import { RecordTexts, WrittenRecord } from '../../catalog/records/written-record.ts'
import type { Embedding, Resource, Row } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { Entry, EntrySource, idReader } from './entry.ts'
import type { ManifestIndex, ReadManifests } from './manifests.ts'
import { type Once, onceFor } from './once.ts'

type MakerOf = (row: Row) => Json

interface ToRecords {
  (resource: Resource, rows: readonly Row[], at: Snapshot, signal?: AbortSignal): Promise<readonly Written[]>
  /** Undefined while the embedded records are not in memory. */
  peek(resource: Resource, rows: readonly Row[], at: Snapshot): readonly Written[] | undefined
}

export type ReadMakers = Once<MakerOf>

/** Reads the makers of hotspots, some eighty, once per version of their table. */
export function openMakers(engine: Engine, spelling: Spelling): ReadMakers {
  return onceFor(engine, makers, (rows, at): MakerOf => {
    const source = new EntrySource(makers, at)
    const entries = rows.map((row) => new Entry(source, row))
    const records = new Map(entries.map((maker) => [maker.id, new Shared(maker.record({}, spelling))]))
    // For an unknown maker, embeds the value of the import.
    return ({ maker_id, maker }) =>
      records.get(String(maker_id)) ?? (typeof maker === 'string' ? new Verbatim(maker, 'small') : null)
  })
}

/** Tables that records embed. */
interface Embedded {
  readonly manifests: ManifestIndex | undefined
  readonly makerOf: MakerOf | undefined
}

/** Returns a function that makes records. Embedded manifests and makers are read once per version. */
export function recordMaker(makersAt: ReadMakers, manifestsAt: ReadManifests, spelling: Spelling): ToRecords {
  const texts = new WeakMap<Resource, RecordTexts>()

  function textsOf(resource: Resource): RecordTexts {
    const created = texts.get(resource) ?? new RecordTexts(resource, spelling)
    texts.set(resource, created)
    return created
  }

  function make(
    resource: Resource,
    rows: readonly Row[],
    at: Snapshot,
    { manifests, makerOf }: Embedded,
  ): readonly Written[] {
    const embeds = Object.entries(resource.embeds ?? {})
    const embedders: Readonly<Record<Embedding, (row: Row) => Json>> = {
      manifest: (row) => manifests?.recordOf(String(row.source_file)) ?? null,
      maker: (row) => makerOf?.(row) ?? null,
    }
    function besideOf(row: Row): RecordContext {
      const embedded: Record<string, Json> = {}
      for (const [name, embedding] of embeds) embedded[name] = embedders[embedding](row)
      return { facts: manifests?.factsOf(String(row.source_file)) ?? noFacts, embedded }
    }
    const [spelled, idOf] = [textsOf(resource), idReader(resource, at)]
    let embeddedValues: RecordContext | undefined
    let file: Value | undefined
    return rows.map((row) => {
      // Except for makers, embedded values depend on the source file, which adjacent rows share.
      if (embeddedValues === undefined || makerOf !== undefined || row.source_file !== file)
        embeddedValues = besideOf(row)
      file = row.source_file
      return new WrittenRecord(spelled, row, idOf(row), embeddedValues)
    })
  }

  async function toRecords(resource: Resource, rows: readonly Row[], at: Snapshot, signal?: AbortSignal) {
    const manifests = embeds(resource, 'manifest') ? await manifestsAt(at, signal) : undefined
    const makerOf = embeds(resource, 'maker') ? await makersAt(at, signal) : undefined
    return make(resource, rows, at, { manifests, makerOf })
  }

  function peek(resource: Resource, rows: readonly Row[], at: Snapshot) {
    const manifests = embeds(resource, 'manifest') ? manifestsAt.peek(at) : undefined
    const makerOf = embeds(resource, 'maker') ? makersAt.peek(at) : undefined
    const isKnown =
      (manifests !== undefined || !embeds(resource, 'manifest')) &&
      (makerOf !== undefined || !embeds(resource, 'maker'))
    return isKnown ? make(resource, rows, at, { manifests, makerOf }) : undefined
  }

  return Object.assign(toRecords, { peek })
}

function embeds(resource: Resource, embedding: Embedding): boolean {
  return Object.values(resource.embeds ?? {}).includes(embedding)
}
