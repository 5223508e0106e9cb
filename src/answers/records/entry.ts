import { fail } from '../../base/errors.ts'
import type { Json, JsonObject } from '../../base/values/json-writer.ts'
import { keyId } from '../../base/values/key-id.ts'
import { bigintOf, type Value } from '../../catalog/column.ts'
import { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import type { Member } from '../../catalog/members.ts'
import { positionOf, writeCursor } from '../../catalog/query/cursor.ts'
import { type ManifestFacts, memberOf, noFacts } from '../../catalog/records/member.ts'
import { toRecord } from '../../catalog/records/record.ts'
import type { Spelling } from '../../catalog/records/spelling.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import { rowId, type Source } from '../../lake/facts/source.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** Manifests of a snapshot by source file. */
interface Manifests {
  rowOf(sourceFile: string): Row | undefined
  factsOf(sourceFile: string): ManifestFacts
}

/** Snapshot of the rows of a list, and the tables that they refer to. */
export class EntrySource {
  readonly resource: Resource
  readonly manifests: Manifests | undefined
  readonly makerOf: ((row: Row) => Json) | undefined
  readonly idOf: (row: Row) => string
  readonly #at: Snapshot

  constructor(resource: Resource, at: Snapshot, manifests?: Manifests, makerOf?: (row: Row) => Json) {
    this.resource = resource
    this.manifests = manifests
    this.makerOf = makerOf
    this.idOf = idReader(resource, at)
    this.#at = at
  }

  manifestOf(sourceFile: string): Entry | null {
    const row = this.manifests?.rowOf(sourceFile)
    return row === undefined
      ? null
      : new Entry(new EntrySource(rewardManifests, this.#at, this.manifests), row)
  }
}

/** A row with the data of its snapshot: a whole record for REST, single values for GraphQL. */
export class Entry {
  readonly row: Row
  readonly #source: EntrySource

  constructor(source: EntrySource, row: Row) {
    this.row = row
    this.#source = source
  }

  get resource(): Resource {
    return this.#source.resource
  }

  /** The imported id, or one that encodes its key or its position in the source. Errors: `lake_damaged`. */
  get id(): string {
    return this.#source.idOf(this.row)
  }

  /** Cursor of the row, stable across snapshots. */
  get cursor(): string {
    return writeCursor(this.resource, positionOf(this.resource, this.row))
  }

  /** The manifest of its source file; null if unknown. */
  get manifest(): Entry | null {
    return this.#source.manifestOf(this.#sourceFile)
  }

  /** The record of its maker; null if unknown. */
  get maker(): Json {
    return this.#source.makerOf?.(this.row) ?? null
  }

  /** Facts of the manifest of its source file. */
  get facts(): ManifestFacts {
    return this.#source.manifests?.factsOf(this.#sourceFile) ?? noFacts
  }

  /** The value of a member, spelled as specified; null if its inputs are unknown. */
  valueOf(member: Member): Json {
    return memberOf(this.resource, this.row, member, this.facts)
  }

  record(embedded: JsonObject, spelling: Spelling): JsonObject {
    return toRecord(this.resource, this.row, this.id, this.facts, embedded, spelling)
  }

  get #sourceFile(): string {
    return String(this.row.source_file)
  }
}

/** Returns a function that computes row ids; adjacent rows share the lookup of their source. */
export function idReader(resource: Resource, at: Snapshot): (row: Row) => string {
  if ('id' in resource.columns) return (row) => String(row.id)
  const { key } = resource
  if (key !== undefined) return (row) => keyId(String(row[key]))
  let [file, type]: readonly [Value?, Value?] = []
  let source: Source | undefined
  return (row) => {
    if (source === undefined || row.source_file !== file || row.reward_type !== type) {
      source = sourceOf(resource, row, at)
      file = row.source_file
      type = row.reward_type
    }
    return rowId(source, bigintOf(row.ordinal))
  }
}

function sourceOf(resource: Resource, { source_file, reward_type }: Row, at: Snapshot): Source {
  const sources = at.table(resource).sourcesNamed(String(source_file))
  const ofKind = (start: string) => sources.find((source) => source.kind.startsWith(start))
  const namedSource = ofKind(`${reward_type}_`) ?? ofKind('network_') ?? sources[0]
  if (namedSource !== undefined) return namedSource
  const sentence = `A file of ${resource.name} has a row of ${source_file}, which the log of the table does not name`
  return fail('lake_damaged', `${sentence}; restore the table from a copy.`)
}
