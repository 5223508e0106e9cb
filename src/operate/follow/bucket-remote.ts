import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { resources } from '../../catalog/resources.ts'
import { hashFile } from '../../lake/disk/disk.ts'
import { logEntryPath, tableFolder } from '../../lake/disk/layout.ts'
import { newestEntry } from '../../lake/log/log-entry.ts'
import type { Remote } from '../../write/store/remote.ts'
import { fromOrigin, type LocalCopy, originFileOf } from './bring-file.ts'
import { bringMissing } from './bring-missing.ts'
import { type BucketLake, type BucketOrigin, newestKey } from './bucket-origin.ts'
import { proveCreate } from './prove-create.ts'

export interface BucketRemoteOptions extends BucketLake, LocalCopy {
  readonly origin: BucketOrigin
  /** Downloads commits that the copy lacks. */
  readonly follow: () => Promise<unknown>
  readonly signal: AbortSignal
  /** Limit on the bytes of data files in the copy; 0: unlimited. */
  readonly mostBytes?: number
}

/** Commits to a lake in a bucket: first the files, then the log entry, which the store creates only if absent. */
export function bucketRemote(options: BucketRemoteOptions): Remote {
  const { store, url, prefix, lake, origin, signal, mostBytes = 0 } = options

  return {
    url,
    async bring(files, areDamaged = false) {
      for (const file of files)
        if (areDamaged || !existsSync(file.path)) await bringMissing(options, file, mostBytes)
    },
    async readEnd(local, most) {
      const file = originFileOf(lake, local)
      const from = Math.max(0, file.bytes - most)
      return await fromOrigin(options, async (at, signal) => await buffer(await at.read(file, from, signal)))
    },
    async send(table, paths) {
      await proveCreate(options, signal)
      for (const path of paths) {
        const local = join(tableFolder(lake, { name: table }), path)
        const [{ size: bytes }, sha256] = await Promise.all([stat(local), hashFile(local)])
        await store.put(`${prefix}${table}/${path}`, { path: local, bytes, sha256 }, signal)
      }
    },
    async create(table, version, text) {
      await proveCreate(options, signal)
      const key = logEntryPath(prefix + table, version)
      if (await store.create(key, Buffer.from(text), signal)) return true
      // A request whose response was lost may have succeeded.
      const there = await store.get(key, signal)
      if (there?.bytes.toString('utf8') === text) return true
      origin.invalidate()
      await options.follow()
      return false
    },
    async announce() {
      const versions: Record<string, number> = {}
      for (const resource of resources) {
        const version = await newestEntry(tableFolder(lake, resource))
        if (version >= 0) versions[resource.name] = version
      }
      // The commit is complete; if this fails, a listing finds it.
      await store.put(newestKey(prefix), Buffer.from(JSON.stringify({ versions })), signal).catch(() => {})
    },
    async withdraw(table, paths) {
      // A vacuum removes any remaining files.
      const keys = paths.map((path) => `${prefix}${table}/${path}`)
      await store.remove(keys, signal).catch(() => {})
    },
  }
}
