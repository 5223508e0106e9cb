import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fail } from '../../base/errors.ts'
import { forEachConcurrent } from '../../base/for-each-concurrent.ts'
import { hasCode, isMissing } from './disk.ts'

const CONCURRENCY = 64

/**
 * Refuses data files of a foreign lake that are links, lie behind links, or are pipes. A link could lead outside of the
 * lake, and a pipe would block. Each file is checked once, because data files are immutable.
 */
export class PlainFiles {
  readonly #lake: string
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  constructor(lake: string) {
    this.#lake = resolve(lake)
  }

  get size(): number {
    return this.#files.size
  }

  /** Forgets all other files. */
  retain(live: ReadonlySet<string>): void {
    for (const path of this.#files) if (!live.has(path)) this.#files.delete(path)
    const folders = new Set([...this.#files].map(dirname))
    for (const folder of this.#folders) if (!folders.has(folder)) this.#folders.delete(folder)
  }

  /**
   * Checks files; returns undefined if all were checked before. Skips paths outside of the lake and missing files.
   * Errors: `lake_damaged`.
   */
  check(paths: Iterable<string>): Promise<void> | undefined {
    const unchecked: string[] = []
    for (const path of paths) if (!this.#files.has(path)) unchecked.push(path)
    if (unchecked.length === 0) return undefined
    return forEachConcurrent(unchecked, CONCURRENCY, (path) => this.#checkFile(path))
  }

  async #checkFile(path: string): Promise<void> {
    if (!resolve(path).startsWith(this.#lake + sep)) return
    const stats = await lstat(path).catch(unlessMissing)
    if (stats === undefined) return
    if (stats.isSymbolicLink()) refuse(path, 'is a symbolic link')
    if (!stats.isFile()) refuse(path, 'is not a regular file')
    if (await this.#isFolderPlain(path)) this.#files.add(path)
  }

  /** Checks that no parent folder is a link; false when the folder is gone, as after a vacuum. */
  async #isFolderPlain(path: string): Promise<boolean> {
    const folder = dirname(path)
    if (this.#folders.has(folder)) return true
    const expected = join(await realpath(this.#lake), relative(this.#lake, resolve(folder)))
    const actual = await realpath(folder).catch(unlessMissing)
    if (actual === undefined) return false
    if (actual !== expected) refuse(path, 'lies behind a symbolic link')
    this.#folders.add(folder)
    return true
  }
}

function unlessMissing(error: unknown): undefined {
  // The engine reports a folder without access, in the words of the system.
  if (!isMissing(error) && !hasCode(error, ['EACCES'])) throw error
}

function refuse(path: string, fault: string): never {
  fail('lake_damaged', `${path} ${fault}; data files are regular files of the lake. Restore it from a copy.`)
}
