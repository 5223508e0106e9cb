import { getOrMake } from '../../base/maps.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { BlockCache } from '../blocks/block-cache.ts'
import { listKeyPaths, tableKeysFolder } from '../index-file.ts'
import { OpenFiles } from '../open-files.ts'
import { type Cover, type Covering, coveringRange, findCover, isExact } from './cover.ts'
import { type KeyFile, openKeyFile } from './key-file.ts'

/** Open indexes by key; the map's key is the path. */
export class LoadedKeys extends OpenFiles<KeyFile> {
  readonly #stateFolder: string
  readonly #cache: BlockCache
  #covers = new WeakMap<TableSnapshot, Cover>()

  constructor(stateFolder: string, cache: BlockCache) {
    super()
    this.#stateFolder = stateFolder
    this.#cache = cache
  }

  /** Opens the existing files of these tables, and closes all others. */
  async loadTables(tables: readonly TableSnapshot[]): Promise<void> {
    const openers = new Map<string, () => KeyFile>()
    for (const table of tables)
      for (const path of await listKeyPaths(tableKeysFolder(this.#stateFolder, table)))
        openers.set(path, () => openKeyFile(path, table.resource, this.#cache))
    this.load(openers)
  }

  /** Returns whether files have the rows of a table version, and no further rows. */
  isComplete(table: TableSnapshot): boolean {
    return isExact(this.#findCover(table))
  }

  /** Returns the files with rows of a range; undefined if rows are missing. */
  coveringsOf(table: TableSnapshot, range: GroupRange): readonly Covering[] | undefined {
    return coveringRange(this.#findCover(table), range)
  }

  filesOf({ resource }: TableSnapshot): readonly KeyFile[] {
    return this.values().filter(({ contents }) => contents.table === resource.name)
  }

  protected override onChange(): void {
    this.#covers = new WeakMap()
  }

  #findCover(table: TableSnapshot): Cover {
    return getOrMake(this.#covers, table, () => findCover(table, this.filesOf(table)))
  }
}
