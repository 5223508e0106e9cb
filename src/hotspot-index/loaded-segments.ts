import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { GroupRange } from '../query/group-range.ts'
import { type Wanted, wantedOf } from './contents.ts'
import { openIfIntact, segmentPaths, segmentsFolder } from './folder.ts'
import { type Opened, prepare } from './opened.ts'
import { bestFor, type Year } from './year.ts'

/** The segments of the state folder that are open, and which of them a version of a table is answered from. */
export class LoadedSegments {
  readonly #folder: string
  readonly #opened = new Map<string, Opened>()
  readonly #wanted = new WeakMap<TableSnapshot, readonly Wanted[]>()
  #years = new WeakMap<TableSnapshot, readonly Year[]>()

  constructor(stateFolder: string) {
    this.#folder = segmentsFolder(stateFolder)
  }

  /** Opens the segments of a table that are there, and closes those that no longer are. */
  async load(table: TableSnapshot): Promise<void> {
    const folder = join(this.#folder, table.resource.name)
    for (const { year } of this.#wantedOf(table)) {
      const paths = await segmentPaths(folder, year)
      for (const path of paths) this.#open(table.resource, path)
      const prefix = join(folder, `${year}-`)
      for (const [path, one] of this.#opened)
        if (path.startsWith(prefix) && !paths.includes(path)) this.#close(one)
    }
    this.#years = new WeakMap()
  }

  isComplete(table: TableSnapshot): boolean {
    return this.#yearsOf(table).every((year) => year.isComplete)
  }

  /** The segments of all years that a range touches; undefined when one of them is missing or differs. */
  of(table: TableSnapshot, range: GroupRange): readonly Opened[] | undefined {
    const segments: Opened[] = []
    for (const { begin, end, segment, differing } of this.#yearsOf(table)) {
      if (range.from >= end || range.to < begin) continue
      if (segment === undefined || differing.some((period) => isIn(period, range))) return undefined
      segments.push(segment)
    }
    return segments
  }

  ofTable({ resource }: TableSnapshot): readonly Opened[] {
    return [...this.#opened.values()].filter(({ segment }) => segment.contents.table === resource.name)
  }

  /** Until it is built again the data files are read in its place. */
  forget(one: Opened): void {
    this.#close(one)
    try {
      rmSync(one.segment.path, { force: true })
    } catch {
      // In a folder that cannot be written it stays; then it is loaded after the next commit, and forgotten again.
    }
  }

  close(): void {
    for (const one of this.#opened.values()) this.#close(one)
  }

  #open(resource: Resource, path: string): void {
    const segment = this.#opened.has(path) ? undefined : openIfIntact(path)
    if (segment !== undefined) this.#opened.set(path, prepare(resource, segment))
  }

  #close({ segment }: Opened): void {
    this.#opened.delete(segment.path)
    segment.close()
    this.#years = new WeakMap()
  }

  #wantedOf(table: TableSnapshot): readonly Wanted[] {
    const wanted = this.#wanted.get(table) ?? wantedOf(table)
    this.#wanted.set(table, wanted)
    return wanted
  }

  #yearsOf(table: TableSnapshot): readonly Year[] {
    const years =
      this.#years.get(table) ?? this.#wantedOf(table).map((year) => bestFor(table, year, this.ofTable(table)))
    this.#years.set(table, years)
    return years
  }
}

const isIn = (period: bigint, { from, to }: GroupRange) => from <= period && period <= to
