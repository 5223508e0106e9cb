import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { bestFor, isComplete, ofMonth, openIfIntact, sumPaths, tableSumsFolder } from './folder.ts'
import type { MonthFile } from './month-file.ts'
import { type WantedMonth, wantedMonths } from './wanted.ts'

/** A month of a version of a table, and the open file that has most of it. */
export interface LoadedMonth {
  readonly wanted: WantedMonth
  readonly file: MonthFile | undefined
  readonly isComplete: boolean
}

/** The files of the state folder that are open. */
export class LoadedMonths {
  readonly #stateFolder: string
  readonly #opened = new Map<string, MonthFile>()
  readonly #wanted = new WeakMap<TableSnapshot, readonly WantedMonth[]>()
  #months = new WeakMap<TableSnapshot, readonly LoadedMonth[]>()

  constructor(stateFolder: string) {
    this.#stateFolder = stateFolder
  }

  /** Opens the files of a table that are there, and closes those that no longer are. */
  async load(table: TableSnapshot): Promise<void> {
    const folder = tableSumsFolder(this.#stateFolder, table)
    const all = await sumPaths(folder)
    for (const wanted of this.#wantedOf(table)) {
      const paths = ofMonth(all, wanted)
      for (const path of paths) {
        const file = this.#opened.has(path) ? undefined : openIfIntact(path)
        if (file !== undefined) this.#opened.set(path, file)
      }
      const prefix = join(folder, `${wanted.month}-`)
      for (const file of this.ofTable(table))
        if (file.path.startsWith(prefix) && !paths.includes(file.path)) this.#close(file)
    }
    this.#months = new WeakMap()
  }

  isComplete(table: TableSnapshot): boolean {
    return this.of(table).every((month) => month.isComplete)
  }

  of(table: TableSnapshot): readonly LoadedMonth[] {
    const months =
      this.#months.get(table) ??
      this.#wantedOf(table).map((wanted): LoadedMonth => {
        const file = bestFor(
          wanted,
          this.ofTable(table).filter(({ contents }) => contents.month === wanted.month),
        )
        return { wanted, file, isComplete: file !== undefined && isComplete(file, wanted) }
      })
    this.#months.set(table, months)
    return months
  }

  ofTable(table: TableSnapshot): readonly MonthFile[] {
    const folder = join(tableSumsFolder(this.#stateFolder, table), '/')
    return [...this.#opened.values()].filter(({ path }) => path.startsWith(folder))
  }

  /** Until it is built again the data files are read in its place. */
  forget(file: MonthFile): void {
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

  #close(file: MonthFile): void {
    this.#opened.delete(file.path)
    file.close()
    this.#months = new WeakMap()
  }

  #wantedOf(table: TableSnapshot): readonly WantedMonth[] {
    const wanted = this.#wanted.get(table) ?? wantedMonths(table)
    this.#wanted.set(table, wanted)
    return wanted
  }
}
