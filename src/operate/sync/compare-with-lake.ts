import { type ArtifactKind, compareArrivals, recognisePath } from '../../write/ingest/files/artifact.ts'
import type { StoredObject } from '../object-store/object-store.ts'
import type { CountedStore } from './counted-store.ts'
import type { FileSeries } from './file-series.ts'
import type { Covered, Fetched, SyncState } from './sync-state.ts'
import { type LeftObject, reasonOfLeft } from './sync-state.ts'

/** Creation times, milliseconds since 1970; `toMs` is exclusive. */
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

/** Names in the lake, by kind. */
export type HeldNames = ReadonlyMap<ArtifactKind, ReadonlySet<string>>

/** Listed objects by their state in the lake. */
export interface Comparison {
  /** Objects to fetch, in ingest order. */
  readonly pending: readonly ArtifactObject[]
  /** Keys of pending objects that replace rows in the lake. */
  readonly replaced: ReadonlySet<string>
  /** In the lake with other bytes. */
  readonly changed: readonly ArtifactObject[]
  /** Fetched before with the same bytes, and refused. */
  readonly refused: readonly LeftObject[]
  readonly settled: readonly ArtifactObject[]
}

const TIME_DIGITS = 13
/** Longest file name, in bytes. */
const LONGEST_NAME = 255

/** Returns the creation time from which to list: covered ranges are listed again for the overlap only. */
export function listingStart({ fromMs }: TimeRange, covered: Covered | undefined, overlapMs: number): number {
  const isKnown = covered !== undefined && covered.fromMs <= fromMs
  return isKnown ? Math.max(fromMs, covered.untilMs - overlapMs) : fromMs
}

/** Lists the objects of a series in a time range, or all of an untimed series. */
export async function listSeries(
  store: CountedStore,
  { prefix, isTimed }: FileSeries,
  { fromMs: startMs, toMs }: TimeRange,
): Promise<readonly ArtifactObject[]> {
  const startAfter = isTimed ? `${prefix}${String(startMs).padStart(TIME_DIGITS, '0')}` : undefined
  const listedObjects: ArtifactObject[] = []
  for await (const { objects } of store.pages({ prefix, startAfter })) {
    const listed = objects.flatMap(toArtifactObjects)
    listedObjects.push(
      ...listed.filter(({ createdMs }) => !isTimed || (createdMs >= startMs && createdMs < toMs)),
    )
    if (isTimed && listed.length > 0 && listed.every(({ createdMs }) => createdMs >= toMs)) break
  }
  return listedObjects
}

/** Adds kind and time from the key; empty for unknown kinds, folders and unsafe keys. */
export function toArtifactObjects(object: StoredObject): readonly ArtifactObject[] {
  const arrival = recognisePath(object.key)
  if (arrival === undefined || !object.key.split('/').every(isFileName)) return []
  const name = object.key.slice(object.key.lastIndexOf('/') + 1)
  return [{ ...object, kind: arrival.kind, name, createdMs: arrival.createdMs ?? 0 }]
}

/** A key must not lead out of its folder. */
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

function judge(
  { etag }: ArtifactObject,
  before: Fetched | undefined,
  isHeld: boolean,
): 'settled' | 'changed' | 'refused' | 'wanted' {
  const isSame = before === undefined || before.etag === etag
  const isRefused = before?.reason !== undefined
  if (!isHeld) return isRefused && isSame ? 'refused' : 'wanted'
  // Refused bytes that are in the lake came from elsewhere, unless they were to replace rows.
  const isReplacement = isRefused && before.isChanged === true
  if (isReplacement && isSame) return 'refused'
  return isSame || (isRefused && !isReplacement) ? 'settled' : 'changed'
}
