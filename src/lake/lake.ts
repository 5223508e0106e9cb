import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { Resource } from '../catalog/resource.ts'
import { resources } from '../catalog/resources.ts'
import { fail } from '../errors.ts'
import { readTableLog, type TableLog } from './delta-log.ts'
import { tableFolder } from './layout.ts'
import { readTableSnapshot, Snapshot, type TableSnapshot, versionsOfId } from './snapshot.ts'

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

/** Opens a lake that must exist. Errors: `not_ready` when there is no such folder. */
export async function openLake(folder: string): Promise<Lake> {
  const there = await stat(folder).catch(() => undefined)
  if (there === undefined || !there.isDirectory()) {
    fail(
      'not_ready',
      `There is no lake at ${folder}; make one with: ledgerlake ingest PATH... --lake ${folder}`,
    )
  }
  await access(folder, constants.R_OK | constants.X_OK).catch((cause) =>
    fail('lake_damaged', `The folder ${folder} cannot be read; a readable folder is accepted.`, { cause }),
  )
  return new Lake(folder)
}
