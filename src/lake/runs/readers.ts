import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'
import { readersFolder } from '../disk/layout.ts'
import type { Clock } from '../disk/this-machine.ts'
import { isCount, isMembers } from '../log/log-actions.ts'
import { readLogFile } from '../log/log-entry.ts'
import { openRunFolder, removeAbandoned } from './run-folder.ts'
import { isAbandoned } from './run-owner.ts'

/** Declaration of a process that reads older versions of a lake. */
export interface LakeReader {
  /** Replaces the declared versions, whose files a vacuum keeps. */
  declare(versions: ReadonlyMap<Resource, Iterable<number>>): Promise<void>
  close(): Promise<void>
}

const FILE = 'versions.json'

/** Declares nothing in a read-only lake, because no vacuum can run there. */
export async function openReader(lake: string): Promise<LakeReader> {
  const parent = readersFolder(lake)
  const run = await openRunFolder(parent).catch(() => undefined)
  if (run === undefined) return { declare: async () => {}, close: async () => {} }
  const { folder, release } = run
  await removeAbandoned(parent)
  let pending = ''
  let written = ''
  let writing: Promise<void> = Promise.resolve()
  async function writePending(): Promise<void> {
    const text = pending
    if (text === written) return
    const temporary = join(folder, `${FILE}.tmp`)
    await writeFile(temporary, text)
    await rename(temporary, join(folder, FILE))
    written = text
  }
  return {
    declare(versions) {
      pending = writeVersions(versions)
      if (pending === written) return writing
      // On a full disk the next call tries again; until then a vacuum may remove files in use.
      writing = writing.then(writePending).catch(() => {})
      return writing
    },
    async close() {
      release()
      await writing
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function writeVersions(versions: ReadonlyMap<Resource, Iterable<number>>): string {
  const lists = [...versions].map(([{ name }, numbers]) => [name, [...numbers].sort((a, b) => a - b)])
  return JSON.stringify(Object.fromEntries(lists))
}

/** Reads the versions of a table that live processes declare. */
export async function readVersionsInUse(
  lake: string,
  { name }: Resource,
  clock: Clock,
): Promise<readonly number[]> {
  const parent = readersFolder(lake)
  const versions: number[] = []
  for (const reader of await readdir(parent).catch(() => [])) {
    if (await isAbandoned(parent, reader, clock, false)) continue
    versions.push(...(await readVersions(join(parent, reader, FILE), name)))
  }
  return versions
}

/** Returns nothing for a reader that is starting or has just ended. */
async function readVersions(path: string, table: string): Promise<readonly number[]> {
  try {
    const declared: unknown = JSON.parse(String(await readLogFile(path)))
    const versions = isMembers(declared) ? declared[table] : undefined
    return Array.isArray(versions) ? versions.filter(isCount) : []
  } catch {
    return []
  }
}
