import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { entriesIn, replaceFile, syncFolder } from '../disk/disk.ts'
import { keptFolder } from '../disk/layout.ts'

/** Port of the store of small records, with a name each. */
export interface KeptRecords {
  /** Texts by name. */
  read(): Promise<ReadonlyMap<string, string>>
  write(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
}

const FILE = /^([0-9a-f]{64})\.json$/

/** Returns the name of the record in a file; undefined for a file of another kind, such as an unfinished one. */
export const recordIn = (fileName: string) => FILE.exec(fileName)?.[1]

/** Records in the folder of a lake. A crash leaves the old record or the new one. */
export function keptInFolder(lake: string): KeptRecords {
  const folder = keptFolder(lake)
  const path = (name: string) => join(folder, `${name}.json`)
  return {
    async read() {
      const texts = new Map<string, string>()
      for (const entry of await entriesIn(folder)) {
        const name = recordIn(entry.name)
        if (name !== undefined) texts.set(name, await readFile(path(name), 'utf8'))
      }
      return texts
    },
    write: (name, text) => replaceFile(path(name), text, join(folder, `.${name}.${process.pid}`)),
    async remove(name) {
      await rm(path(name), { force: true })
      await syncFolder(folder)
    },
  }
}
