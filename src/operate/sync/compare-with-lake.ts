import { type ArtifactKind, compareArrivals, recognisePath } from '../../write/ingest/files/artifact.ts'
import type { StoredObject } from '../object-store/object-store.ts'
import type { CountedStore } from './counted-store.ts'
import type { FileSeries } from './file-series.ts'
import { type LeftObject, reasonOfLeft } from './left-object.ts'
import type { Covered, Fetched, SyncState } from './sync-state.ts'

/** Files that oracles created from one instant to before another, in milliseconds since 1970. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

/** An object of a known kind. */
export interface ArtifactObject extends StoredObject {
  readonly kind: ArtifactKind
  readonly name: string
  /** 0 for parts of a table, which have no time. */
  readonly createdMs: number
}

/** The names that the lake holds, of each kind. */
export type HeldNames = ReadonlyMap<ArtifactKind, ReadonlySet<string>>

/** What a listing brought, compared with what is there. */
export interface Comparison {
  /** To be fetched, in the order of ingest. */
  readonly pending: readonly ArtifactObject[]
  /** Keys of those wanted whose rows are to be replaced: the lake has them with other bytes. */
  readonly replaced: ReadonlySet<string>
  /** In the lake, and with other bytes by now. */
  readonly changed: readonly ArtifactObject[]
  /** Fetched before with the same bytes, and not ingested. */
  readonly refused: readonly LeftObject[]
  /** In the lake as they are. */
  readonly settled: readonly ArtifactObject[]
}

const TIME_DIGITS = 13
/** Of a name in usual file systems, in bytes. */
const LONGEST_NAME = 255

/**
 * When objects were created at which a listing begins. What an earlier run has covered is listed again for its last
 * `overlapMs` alone, so that what came late under an older name is found.
 */
export function listingStart({ fromMs }: TimeRange, covered: Covered | undefined, overlapMs: number): number {
  const isKnown = covered !== undefined && covered.fromMs <= fromMs
  return isKnown ? Math.max(fromMs, covered.untilMs - overlapMs) : fromMs
}

/** The objects of a series that were created from one instant to before another, or all where they have no time. */
export async function listSeries(
  store: CountedStore,
  { prefix, isTimed }: FileSeries,
  { fromMs: startMs, toMs }: TimeRange,
  signal?: AbortSignal,
): Promise<readonly ArtifactObject[]> {
  const startAfter = isTimed ? `${prefix}${String(startMs).padStart(TIME_DIGITS, '0')}` : undefined
  const listedObjects: ArtifactObject[] = []
  for await (const { objects } of store.pages({ prefix, startAfter }, signal)) {
    const listed = objects.flatMap(toArtifactObjects)
    listedObjects.push(
      ...listed.filter(({ createdMs }) => !isTimed || (createdMs >= startMs && createdMs < toMs)),
    )
    if (isTimed && listed.length > 0 && listed.every(({ createdMs }) => createdMs >= toMs)) break
  }
  return listedObjects
}

/** An object with what its key says; none when it is of no known kind, a folder, or has a key that is no path below a folder. */
export function toArtifactObjects(object: StoredObject): readonly ArtifactObject[] {
  const arrival = recognisePath(object.key)
  if (arrival === undefined || !object.key.split('/').every(isFileName)) return []
  const name = object.key.slice(object.key.lastIndexOf('/') + 1)
  return [{ ...object, kind: arrival.kind, name, createdMs: arrival.createdMs ?? 0 }]
}

/** Keys are any text, and files are written under them: none may lead out of its folder. */
function isFileName(segment: string): boolean {
  const isSpecial = segment === '' || segment === '.' || segment === '..'
  return !isSpecial && Buffer.byteLength(segment) <= LONGEST_NAME && !/[\\\p{Cc}]/u.test(segment)
}

export function compareWithLake(
  listed: readonly ArtifactObject[],
  held: HeldNames,
  { fetched }: Pick<SyncState, 'fetched'>,
  isReplacing: boolean,
): Comparison {
  const pending: ArtifactObject[] = []
  const changed: ArtifactObject[] = []
  const refused: LeftObject[] = []
  const settled: ArtifactObject[] = []
  const replaced = new Set<string>()
  for (const object of new Map(listed.map((object) => [object.key, object])).values()) {
    const before = fetched[object.key]
    const isHeld = held.get(object.kind)?.has(object.name) === true
    const verdict = judge(object, before, isHeld)
    if (verdict === 'settled') settled.push(object)
    else if (verdict === 'refused') refused.push({ key: object.key, reason: reasonOfLeft(before) })
    else if (verdict === 'changed' && !isReplacing) changed.push(object)
    else pending.push(object)
    if (verdict === 'changed' && isReplacing) replaced.add(object.key)
  }
  pending.sort((a, b) => compareArrivals({ ...a, path: a.key }, { ...b, path: b.key }))
  return { pending, replaced, changed, refused, settled }
}

/** Relation of an object to a lake. */
function judge(
  { etag }: ArtifactObject,
  before: Fetched | undefined,
  isHeld: boolean,
): 'settled' | 'changed' | 'refused' | 'wanted' {
  const isSame = before === undefined || before.etag === etag
  const isRefused = before?.reason !== undefined
  if (!isHeld) return isRefused && isSame ? 'refused' : 'wanted'
  // Bytes that were refused and are in the lake came another way; those that were to replace others are not in it.
  const isReplacement = isRefused && before.isChanged === true
  if (isReplacement && isSame) return 'refused'
  return isSame || (isRefused && !isReplacement) ? 'settled' : 'changed'
}
