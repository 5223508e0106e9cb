import type { Resource } from '../../catalog/resource.ts'
import { factsPath, isDataFilePath, tableFolder } from '../../lake/disk/layout.ts'
import { namedFactsIn } from '../../lake/facts/file-tags.ts'
import { readEntries } from '../../lake/log/delta-log.ts'
import { type KeptRecords, recordIn } from '../../lake/vacuum/kept-records.ts'
import type { ListedFile, RemoteFiles } from '../../lake/vacuum/remote-files.ts'
import { listAllPages, nameLimit } from '../object-store/list-all-pages.ts'
import type { BucketLake } from './bucket-origin.ts'

/** Limit on the objects of one table, including its log and facts. */
const MOST_NAMES = 4_000_000

/** Lists and removes the data files of a lake in a bucket, for a vacuum. */
export function filesInBucket({ store, prefix, lake }: BucketLake): RemoteFiles {
  return {
    async files({ name }) {
      const files: ListedFile[] = []
      const folder = `${prefix}${name}/`
      const pages = listAllPages((next) => store.list({ prefix: folder, next }), nameLimit(MOST_NAMES))
      for await (const { objects } of pages)
        for (const { key, bytes, storedAt = Number.POSITIVE_INFINITY } of objects) {
          const path = key.slice(folder.length)
          if (isDataFilePath(path)) files.push({ path, bytes, changedAt: storedAt })
        }
      return files
    },
    async remove(resource, paths) {
      const facts = await factsOf(lake, resource, new Set(paths))
      // Remove the data file first: facts without a data file are never read.
      await store.remove([...paths, ...facts].map((path) => `${prefix}${resource.name}/${path}`))
    },
    kept: keptInBucket({ store, prefix }),
  }
}

/** Records of kept snapshots as small objects. */
function keptInBucket({ store, prefix }: Pick<BucketLake, 'store' | 'prefix'>): KeptRecords {
  const folder = `${prefix}_kept/`
  return {
    async read() {
      const texts = new Map<string, string>()
      const pages = listAllPages((next) => store.list({ prefix: folder, next }), nameLimit(MOST_NAMES))
      for await (const { objects } of pages)
        for (const { key } of objects) {
          const name = recordIn(key.slice(folder.length))
          const object = name === undefined ? undefined : await store.get(key)
          if (name !== undefined && object !== undefined) texts.set(name, object.bytes.toString('utf8'))
        }
      return texts
    },
    write: (name, text) => store.put(`${folder}${name}.json`, Buffer.from(text)),
    remove: (name) => store.remove([`${folder}${name}.json`]),
  }
}

/** Returns the facts files that the log names for these data files. */
async function factsOf(
  lake: string,
  resource: Resource,
  paths: ReadonlySet<string>,
): Promise<readonly string[]> {
  const facts: string[] = []
  for await (const { actions } of readEntries(tableFolder(lake, resource)))
    for (const action of actions) {
      const named = 'add' in action && paths.has(action.add.path) ? namedFactsIn(action.add.tags) : undefined
      if (named !== undefined) facts.push(factsPath('', named.digest))
    }
  return facts
}
