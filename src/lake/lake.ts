import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import { fail, sentenceOf } from '../errors.ts'
import { readTableLog } from './delta-log.ts'
import { isMissing } from './disk.ts'
import { tableFolder } from './layout.ts'
import { readTableSnapshot, Snapshot, type TableSnapshot, versionsOfId } from './snapshot.ts'
import type { TableLog } from './table-state.ts'

/** A folder of Delta tables, read incrementally: only log entries not seen before are opened. */
export class Lake {
  readonly folder: string
  readonly #logs = new Map<Resource, TableLog>()
  readonly #tables = new Map<Resource, TableSnapshot>()
  #latest = new Snapshot([])

  constructor(folder: string) {
    this.folder = folder
  }

  /** The newest snapshot; the same object while nothing was committed. Errors: `lake_damaged`. */
  async latest(): Promise<Snapshot> {
    let changed = false
    for (const resource of resources) changed = (await this.#advance(resource)) || changed
    if (changed) this.#latest = new Snapshot([...this.#tables.values()])
    return this.#latest
  }

  /** The snapshot of an id; undefined when the id is none, or one of its versions does not exist. */
  async at(id: string): Promise<Snapshot | undefined> {
    const versions = versionsOfId(id)
    if (versions === undefined) return undefined
    const tables: TableSnapshot[] = []
    for (const [resource, version] of versions) {
      const log = await readTableLog(tableFolder(this.folder, resource), { version })
      if (log === undefined) return undefined
      tables.push(readTableSnapshot(this.folder, resource, log))
    }
    return new Snapshot(tables)
  }

  async #advance(resource: Resource): Promise<boolean> {
    const from = this.#logs.get(resource)
    const log = await readTableLog(tableFolder(this.folder, resource), { from })
    if (log === undefined && from !== undefined) {
      fail('lake_damaged', `The table ${resource.name} of ${this.folder} is gone; restore it from a copy.`)
    }
    if (log === undefined || log.entryDigest === from?.entryDigest) return false
    this.#logs.set(resource, log)
    this.#tables.set(resource, readTableSnapshot(this.folder, resource, log))
    return true
  }
}

/** Opens a lake that must exist; one that was not filled yet may be an empty folder. Errors: `not_ready`, `lake_damaged`. */
export async function openLake(folder: string): Promise<Lake> {
  const there = await stat(folder).catch((cause) => {
    if (isMissing(cause)) return undefined
    return fail('lake_damaged', `The folder ${folder} cannot be read: ${sentenceOf(cause)}.`, { cause })
  })
  if (there === undefined) {
    fail(
      'not_ready',
      `There is no lake at ${folder}; make one with: ledgerlake ingest PATH... --lake ${folder}`,
    )
  }
  if (!there.isDirectory()) fail('not_ready', `${folder} is a file; the folder of a lake is accepted.`)
  const names = await readdir(folder).catch((cause) =>
    fail('lake_damaged', `The folder ${folder} cannot be read; a readable folder is accepted.`, { cause }),
  )
  refuseOtherFolder(folder, names)
  return new Lake(folder)
}

/** Folders that a file system or an ingest has made before the first table is there. */
const notYetALake = /^[._]|^lost\+found$/

function refuseOtherFolder(folder: string, names: readonly string[]): void {
  if (names.includes('_delta_log')) {
    fail(
      'not_ready',
      `${folder} is one table; the lake that it belongs to, ${join(folder, '..')}, is accepted.`,
    )
  }
  const others = names.filter((name) => !notYetALake.test(name))
  const hasTable = resources.some(({ name }) => others.includes(name))
  if (hasTable || others.length === 0) return
  fail(
    'not_ready',
    `${folder} is no lake: it has other things, such as ${others.sort()[0]}, and no table; a lake or an empty folder is accepted.`,
  )
}
