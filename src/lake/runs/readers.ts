import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'
import { readersFolder } from '../disk/layout.ts'
import type { Clock } from '../disk/this-machine.ts'
import { isCount, isObject } from '../log/log-actions.ts'
import { readLogFile } from '../log/log-entry.ts'
import { openRunFolder, removeAbandoned } from './run-folder.ts'
import { isAbandoned } from './run-owner.ts'

/** A process that reads older versions of a lake for a while. */
export interface Reader {
  /** Declares the versions of tables whose files it may still read, in place of those before. */
  declare(versions: ReadonlyMap<Resource, Iterable<number>>): Promise<void>
  close(): Promise<void>
}

const FILE = 'versions.json'

/** Nothing is declared in a lake that cannot be written: nobody who could write it sees this process either. */
export async function openReader(lake: string): Promise<Reader> {
  const parent = readersFolder(lake)
  const run = await openRunFolder(parent).catch(() => undefined)
  if (run === undefined) return { declare: async () => {}, close: async () => {} }
  const { folder, release } = run
  await removeAbandoned(parent)
  let wanted = ''
  let written = ''
  let writing: Promise<void> = Promise.resolve()
  async function write(text: string): Promise<void> {
    const temporary = join(folder, `${FILE}.tmp`)
    await writeFile(temporary, text)
    await rename(temporary, join(folder, FILE))
  }
  async function writeWanted(): Promise<void> {
    const text = wanted
    if (text === written) return
    await write(text)
    written = text
  }
  return {
    declare(versions) {
      wanted = textOf(versions)
      if (wanted === written) return writing
      // Without room on the disk it may be told that files are gone, as in a lake that cannot be written; the next call tries again.
      writing = writing.then(writeWanted).catch(() => {})
      return writing
    },
    async close() {
      release()
      await writing
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function textOf(versions: ReadonlyMap<Resource, Iterable<number>>): string {
  const lists = [...versions].map(([{ name }, own]) => [name, [...own].sort((a, b) => a - b)])
  return JSON.stringify(Object.fromEntries(lists))
}

/** The versions of a table that living processes declare. */
export async function readVersionsInUse(
  lake: string,
  { name }: Resource,
  clock: Clock,
): Promise<readonly number[]> {
  const parent = readersFolder(lake)
  const versions: number[] = []
  for (const reader of await readdir(parent).catch(() => [])) {
    if (await isAbandoned(parent, reader, clock, false)) continue
    versions.push(...(await versionsOf(join(parent, reader, FILE), name)))
  }
  return versions
}

/** A reader that is about to begin, or has just ended, declares nothing. */
async function versionsOf(path: string, table: string): Promise<readonly number[]> {
  try {
    const declared: unknown = JSON.parse(String(await readLogFile(path)))
    const own = isObject(declared) ? declared[table] : undefined
    return Array.isArray(own) ? own.filter(isCount) : []
  } catch {
    return []
  }
}
