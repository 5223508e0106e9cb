import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { BlockCache } from '../blocks/block-cache.ts'
import { keyPaths, tableKeysFolder } from '../folder.ts'
import { OpenFiles } from '../open-files.ts'
import { type Cover, type Covering, coveringRange, coverOf, isExact } from './cover.ts'
import { type KeyFile, openKeyFile } from './key-file.ts'

/** The indexes by key that are open, by their paths. */
export class LoadedKeys extends OpenFiles<KeyFile> {
  readonly #stateFolder: string
  readonly #cache: BlockCache
  #covers = new WeakMap<TableSnapshot, Cover>()

  constructor(stateFolder: string, cache: BlockCache) {
    super()
    this.#stateFolder = stateFolder
    this.#cache = cache
  }

  /** Opens the files of some tables that are there, and closes all others. */
  async loadTables(tables: readonly TableSnapshot[]): Promise<void> {
    const wanted = new Map<string, () => KeyFile>()
    for (const table of tables)
      for (const path of await keyPaths(tableKeysFolder(this.#stateFolder, table)))
        wanted.set(path, () => openKeyFile(path, table.resource, this.#cache))
    this.load(wanted)
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
    return this.values().filter(({ contents }) => contents.table === resource.name)
  }

  protected override onChange(): void {
    this.#covers = new WeakMap()
  }

  #coverOf(table: TableSnapshot): Cover {
    const cover = this.#covers.get(table) ?? coverOf(table, this.ofTable(table))
    this.#covers.set(table, cover)
    return cover
  }
}
