import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { resources } from '../../src/catalog/resources.ts'
import type { LakeOrigin, OriginFile } from '../../src/operate/follow/origin.ts'
import { StoreFault } from '../../src/operate/object-store/object-store.ts'

/** What is done to bytes on their way; it may throw. */
export type OnTheWay = (chunk: Buffer, file: OriginFile, from: number) => Buffer

/** A lake in another folder as an origin, which notes what it was asked for. */
export function folderOrigin(lake: string, onTheWay: OnTheWay = (chunk) => chunk) {
  const asked: string[] = []
  const origin: LakeOrigin = {
    name: lake,
    async versions() {
      const versions = new Map<string, number>()
      for (const { name } of resources) {
        const log = await readdir(join(lake, name, '_delta_log')).catch(() => [])
        const entries = log.filter((file) => /^\d{20}\.json$/.test(file))
        if (entries.length > 0) versions.set(name, entries.length - 1)
      }
      return versions
    },
    async *entries(table, after, last) {
      for (let version = after + 1; version <= last; version += 1) {
        asked.push(`${table} ${version}`)
        const path = join(lake, table, '_delta_log', `${String(version).padStart(20, '0')}.json`)
        yield await readFile(path, 'utf8').catch(refuseMissing)
      }
    },
    async read(file, from) {
      asked.push(`${file.path} ${from}`)
      const bytes = await readFile(join(lake, file.table, file.path)).catch(refuseMissing)
      return (async function* () {
        // Two pieces, so that a way can break off between them.
        const middle = from + Math.ceil((bytes.length - from) / 2)
        yield onTheWay(bytes.subarray(from, middle), file, from)
        yield onTheWay(bytes.subarray(middle), file, middle)
      })()
    },
    close() {},
  }
  return { origin, asked }
}

function refuseMissing(error: unknown): never {
  throw new StoreFault('changed', 'it is gone', error)
}

/** The log entries of a lake by their paths. */
export async function entriesOf(lake: string): Promise<Readonly<Record<string, string>>> {
  const paths = (await readdir(lake, { recursive: true })).filter((path) =>
    /_delta_log\/\d{20}\.json$/.test(path),
  )
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(lake, path), 'utf8')]))
}
