import type { CountedStore } from './counted-store.ts'
import type { SyncState } from './sync-state.ts'
import { type ListedObject, listedOf } from './wanted.ts'

/** What is not there is looked for again after a day. */
const AGAIN_MS = 86_400_000
/** Each costs a listing. */
const MOST_AT_ONCE = 1000

/**
 * Looks for files that are known by their names alone, beside other files of the same name of an oracle. Gives the objects, and
 * the names that nobody has.
 */
export async function findNamed(
  store: CountedStore,
  names: readonly string[],
  { covered, missing }: Pick<SyncState, 'covered' | 'missing'>,
  nowMs: number,
  signal?: AbortSignal,
): Promise<{ readonly found: readonly ListedObject[]; readonly missing: SyncState['missing'] }> {
  const found: ListedObject[] = []
  const absent = Object.fromEntries(Object.entries(missing).filter(([name]) => names.includes(name)))
  const due = names.filter((name) => nowMs - (absent[name] ?? Number.NEGATIVE_INFINITY) >= AGAIN_MS)
  for (const name of due.slice(0, MOST_AT_ONCE)) {
    const objects = await lookFor(store, name, Object.keys(covered), signal)
    if (objects.length === 0) absent[name] = nowMs
    else delete absent[name]
    found.push(...objects)
  }
  return { found, missing: absent }
}

async function lookFor(
  store: CountedStore,
  name: string,
  prefixes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly ListedObject[]> {
  const kin = prefixes.filter((prefix) => name.startsWith(prefix.slice(prefix.lastIndexOf('/') + 1)))
  for (const prefix of kin) {
    const key = prefix.slice(0, prefix.lastIndexOf('/') + 1) + name
    const objects = (await store.objects({ prefix: key }, signal)).filter((object) => object.key === key)
    if (objects.length > 0) return objects.flatMap(listedOf)
  }
  return []
}
