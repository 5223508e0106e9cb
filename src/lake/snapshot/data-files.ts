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

/** Reading the facts of 16 files takes about five milliseconds. */
const FILES_PER_TURN = 16

/** Shares one object per data file between snapshots, as long as a snapshot refers to it. */
export class DataFiles {
  readonly #cached = new Map<string, WeakRef<DataFile>>()
  readonly #collected = new FinalizationRegistry<string>((key) => {
    if (this.#cached.get(key)?.deref() === undefined) this.#cached.delete(key)
  })

  /**
   * Loads the files of a table with their facts, yielding to the event loop. After the first unreadable facts, as after a
   * vacuum, facts are read on first use. Errors: `lake_damaged`.
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
      if (files.length % FILES_PER_TURN === 0) {
        await setImmediate()
        signal?.throwIfAborted()
      }
      const file = this.of(resource, table, path, add)
      files.push(file)
      if (isWhole) isWhole = hasFacts(file)
    }
    return files
  }

  /** Returns the file of an `add` entry. `path` is relative to the table. Errors: `lake_damaged`. */
  of(resource: Resource, table: string, path: string, add: AddAction): DataFile {
    const key = digestOf(`${table}\n${path}\n${JSON.stringify(add)}`)
    const cached = this.#cached.get(key)?.deref()
    if (cached !== undefined) return cached
    const file = readDataFile(resource, table, path, add)
    this.#cached.set(key, new WeakRef(file))
    this.#collected.register(file, key)
    return file
  }
}

/** Reads facts on first use. After a failure the next use reads again, so that a repair takes effect. */
function readDataFile(resource: Resource, table: string, path: string, add: AddAction): DataFile {
  const { sha256, facts } = readTags(resource, add.tags, join(table, path))
  let cached: FactsAndRows | undefined
  const read = (): FactsAndRows => {
    cached ??= withRows('digest' in facts ? readFactsFile(resource, table, path, facts) : facts)
    return cached
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

/**
 * Adds the row count. Without chunks, as in files of other releases, one chunk without bounds covers the whole file.
 */
function withRows({ sources, chunks }: Facts): FactsAndRows {
  const rows = sources.reduce((sum, source) => sum + source.rows, 0)
  return { rows, sources, chunks: chunks.length > 0 ? chunks : [{ first: 0, rows, bounds: {}, counts: {} }] }
}
