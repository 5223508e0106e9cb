import { rmSync } from 'node:fs'
import type { TableSnapshot } from '../../lake/snapshot.ts'
import type { GroupRange } from '../../query/group-range.ts'
import type { BlockCache } from '../block-cache.ts'
import { type Cover, type Covering, coveringRange, coverOf, isExact } from './cover.ts'
import { keyPaths, openIfIntact, tableKeysFolder } from './folder.ts'
import type { KeyFile } from './key-file.ts'

/** The indexes by key that are open. */
export class LoadedKeys {
  readonly #stateFolder: string
  readonly #cache: BlockCache
  readonly #opened = new Map<string, KeyFile>()
  #covers = new WeakMap<TableSnapshot, Cover>()

  constructor(stateFolder: string, cache: BlockCache) {
    this.#stateFolder = stateFolder
    this.#cache = cache
  }

  /** Opens the files of a table that are there, and closes those that no longer are once all others are open. */
  async load(table: TableSnapshot): Promise<void> {
    const paths = await keyPaths(tableKeysFolder(this.#stateFolder, table))
    for (const path of paths) {
      const file = this.#opened.has(path) ? undefined : openIfIntact(path, table.resource, this.#cache)
      if (file !== undefined) this.#opened.set(path, file)
    }
    for (const file of this.ofTable(table)) if (!paths.includes(file.path)) this.#close(file)
    this.#covers = new WeakMap()
  }

  /** Whether files have all rows of a table, and no others. */
  isComplete(table: TableSnapshot): boolean {
    return isExact(this.#coverOf(table))
  }

  /** The files that have rows of a range; undefined when rows of it are missing. */
  of(table: TableSnapshot, range: GroupRange): readonly Covering[] | undefined {
    return coveringRange(this.#coverOf(table), range)
  }

  ofTable({ resource }: TableSnapshot): readonly KeyFile[] {
    return [...this.#opened.values()].filter(({ contents }) => contents.table === resource.name)
  }

  /** Until it is built again the data files are read in its place. */
  forget(file: KeyFile): void {
    // One that was closed meanwhile is not damaged, and another one may have its name.
    if (this.#opened.get(file.path) !== file) return
    this.#close(file)
    try {
      rmSync(file.path, { force: true })
    } catch {
      // In a folder that cannot be written it stays; then it is loaded after the next commit, and forgotten again.
    }
  }

  close(): void {
    for (const file of this.#opened.values()) this.#close(file)
  }

  #close(file: KeyFile): void {
    this.#opened.delete(file.path)
    file.close()
    this.#covers = new WeakMap()
  }

  #coverOf(table: TableSnapshot): Cover {
    const cover = this.#covers.get(table) ?? coverOf(table, this.ofTable(table))
    this.#covers.set(table, cover)
    return cover
  }
}
