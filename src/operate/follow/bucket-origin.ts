import { logEntryPath, tableFolder, versionOfFile } from '../../lake/disk/layout.ts'
import { isCount, isMembers } from '../../lake/log/log-actions.ts'
import { newestEntry } from '../../lake/log/log-entry.ts'
import { listAllPages, nameLimit } from '../object-store/list-all-pages.ts'
import { type ObjectStore, StoreFault, type WritableStore } from '../object-store/object-store.ts'
import type { LakeOrigin } from './origin.ts'

/** A lake in a bucket. */
export interface BucketLake {
  readonly store: WritableStore
  /** Address of the lake in messages. */
  readonly url: string
  /** Endpoint of the store; empty for Amazon S3. */
  readonly endpoint: string
  /** Prefix of all keys; ends with a slash, unless it is empty. */
  readonly prefix: string
  /** Local folder that is a copy of the lake. */
  readonly lake: string
}

/** Key of an object with the newest versions. Writers update it, so readers need no listing. */
export const newestKey = (prefix: string) => `${prefix}_newest.json`

/** A writer may die before it updates that object. A listing then finds its commit. */
const LIST_AGAIN_MS = 1_800_000
const MOST_LISTS = 5
const ENTRIES_AT_ONCE = 16
/** Limit on listed log entries of a lake. */
const MOST_NAMES = 4_000_000

export interface BucketOrigin extends LakeOrigin {
  /** Makes the next call of `versions` list the bucket. */
  invalidate(): void
}

/** Opens a lake in a bucket. Newest versions come from one small object, and every half hour from a listing. */
export function bucketOrigin({ store, url, prefix, lake }: BucketLake): BucketOrigin {
  const newest = new Map<string, number>()
  let etag: string | undefined
  let listedAt = Number.NEGATIVE_INFINITY

  /** Returns true if any version is new. */
  function learn(versions: ReadonlyMap<string, number>): boolean {
    const later = [...versions].filter(([table, version]) => version > (newest.get(table) ?? -1))
    for (const [table, version] of later) newest.set(table, version)
    return later.length > 0
  }

  /** Lists tables one after the other. If a second listing has no newer version, the first is a consistent snapshot. */
  async function list(signal: AbortSignal): Promise<void> {
    for (let lists = 0; lists < MOST_LISTS; lists += 1)
      if (!learn(await listVersions(store, prefix, lake, signal)) && lists > 0) break
    listedAt = performance.now()
  }

  return {
    name: url,
    invalidate() {
      listedAt = Number.NEGATIVE_INFINITY
    },
    async versions(signal) {
      const reply = await store.get(newestKey(prefix), signal, etag)
      if (reply !== undefined) learn(readVersions(reply.bytes))
      etag = reply?.etag ?? etag
      if (performance.now() - listedAt >= LIST_AGAIN_MS) await list(signal)
      return new Map(newest)
    },
    async *entries(table, after, last, signal) {
      const keyOf = (version: number) => logEntryPath(prefix + table, version)
      for (let first = after + 1; first <= last; first += ENTRIES_AT_ONCE) {
        const versions = Array.from(
          { length: Math.min(ENTRIES_AT_ONCE, last - first + 1) },
          (_, index) => first + index,
        )
        const entries = await Promise.all(versions.map((version) => store.get(keyOf(version), signal)))
        for (const [index, entry] of entries.entries()) {
          if (entry === undefined) throw new StoreFault('changed', `${url} has no ${keyOf(first + index)}`)
          yield entry.bytes.toString('utf8')
        }
      }
    },
    async read({ table, path, bytes }, from, signal) {
      const { chunks } = await store.read({ key: `${prefix}${table}/${path}`, bytes }, from, signal)
      return chunks
    },
    close: () => store.close(),
  }
}

/** Returns the newest version of each table, listing only entries newer than the local copy. */
async function listVersions(
  store: ObjectStore,
  prefix: string,
  lake: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>()
  const folders: string[] = []
  const limit = nameLimit(MOST_NAMES)
  const flat = (next: string | undefined) => store.list({ prefix, isFlat: true, next }, signal)
  for await (const page of listAllPages(flat, limit)) folders.push(...page.folders)
  for (const folder of folders) {
    const name = folder.slice(prefix.length, -1)
    if (name.startsWith('_')) continue
    let version = await newestEntry(tableFolder(lake, { name }))
    const after = version < 0 ? undefined : logEntryPath(prefix + name, version)
    const entries = { prefix: `${prefix}${name}/_delta_log/`, startAfter: after }
    for await (const { objects } of listAllPages((next) => store.list({ ...entries, next }, signal), limit))
      for (const { key } of objects)
        version = Math.max(version, versionOfFile(key.slice(key.lastIndexOf('/') + 1), 'entry') ?? -1)
    if (version >= 0) versions.set(name, version)
  }
  return versions
}

/** Parses the object of newest versions. Invalid content counts as empty; a listing corrects it. */
function readVersions(bytes: Buffer): ReadonlyMap<string, number> {
  try {
    const read: unknown = JSON.parse(bytes.toString('utf8'))
    const entries = isMembers(read) && isMembers(read.versions) ? Object.entries(read.versions) : []
    return new Map(entries.filter((entry): entry is [string, number] => isCount(entry[1])))
  } catch {
    return new Map()
  }
}
