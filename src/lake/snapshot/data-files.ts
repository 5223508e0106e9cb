import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { partitionIn } from '../../catalog/partition.ts'
import type { Resource } from '../../catalog/resource.ts'
import { digestOf } from '../disk/disk.ts'
import type { DataFile } from '../facts/data-file.ts'
import type { Facts } from '../facts/facts.ts'
import { readFactsFile } from '../facts/facts-file.ts'
import { readTags } from '../facts/file-tags.ts'
import type { AddAction } from '../log/log-actions.ts'
import type { TableLog } from '../log/table-state.ts'
import { columnsLacking } from './file-stats.ts'

/** To read the facts of so many takes some five milliseconds. */
const FILES_IN_A_TURN = 16

/** The data files that snapshots name: one object for each, as long as some snapshot has it, whatever version it is of. */
export class DataFiles {
  readonly #known = new Map<string, WeakRef<DataFile>>()
  readonly #gone = new FinalizationRegistry<string>((key) => {
    if (this.#known.get(key)?.deref() === undefined) this.#known.delete(key)
  })

  /**
   * The files of a table with their facts, with turns for others in between. From the first that cannot be read on, as after a
   * vacuum, they are left to whoever needs them. Errors: `lake_damaged`.
   */
  async load(
    resource: Resource,
    table: string,
    live: TableLog['live'],
    signal?: AbortSignal,
  ): Promise<readonly DataFile[]> {
    const files: DataFile[] = []
    let isWhole = true
    for (const [path, add] of live) {
      if (files.length % FILES_IN_A_TURN === 0) {
        await setImmediate()
        signal?.throwIfAborted()
      }
      const file = this.of(resource, table, path, add)
      files.push(file)
      if (isWhole) isWhole = hasFacts(file)
    }
    return files
  }

  /** The file of an `add` entry. `path` is relative to the table. Errors: `lake_damaged`. */
  of(resource: Resource, table: string, path: string, add: AddAction): DataFile {
    const key = digestOf(`${table}\n${path}\n${JSON.stringify(add)}`)
    const known = this.#known.get(key)?.deref()
    if (known !== undefined) return known
    const file = readDataFile(resource, table, path, add)
    this.#known.set(key, new WeakRef(file))
    this.#gone.register(file, key)
    return file
  }
}

/**
 * Facts are read when they are asked for first. What cannot be read is asked for again the next time, so that only answers
 * which need it fail, and only until it is repaired.
 */
function readDataFile(resource: Resource, table: string, path: string, add: AddAction): DataFile {
  const { sha256, facts } = readTags(resource, add.tags, join(table, path))
  let own: FactsAndRows | undefined
  const read = (): FactsAndRows => {
    own ??= withRows('digest' in facts ? readFactsFile(resource, table, path, facts) : facts)
    return own
  }
  return {
    path: join(table, path),
    lacks: columnsLacking(resource, add.stats),
    partition: partitionIn(resource, add.partitionValues),
    bytes: add.size,
    sha256,
    get rows() {
      return read().rows
    },
    get sources() {
      return read().sources
    },
    get chunks() {
      return read().chunks
    },
  }
}

function hasFacts(file: DataFile): boolean {
  try {
    return file.rows >= 0
  } catch {
    return false
  }
}

interface FactsAndRows extends Facts {
  readonly rows: number
}

/** Where another release wrote no chunks, the file may hold anything. */
function withRows({ sources, chunks }: Facts): FactsAndRows {
  const rows = sources.reduce((sum, source) => sum + source.rows, 0)
  return { rows, sources, chunks: chunks.length > 0 ? chunks : [{ first: 0, rows, bounds: {}, counts: {} }] }
}
