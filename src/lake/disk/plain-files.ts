import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fail } from '../../base/errors.ts'
import { hasCode, isMissing } from './disk.ts'

const AT_ONCE = 64

/**
 * Refuses what a lake of somebody else may have in the place of a data file: a link, also one of a folder above it, could lead
 * anywhere, and a pipe would wait for ever. Each file is looked at once, since files never change under their name.
 */
export class PlainFiles {
  readonly #lake: string
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  constructor(lake: string) {
    this.#lake = resolve(lake)
  }

  /** Of how many files it is known. */
  get size(): number {
    return this.#files.size
  }

  /** Forgets all files but those. */
  retain(live: ReadonlySet<string>): void {
    for (const path of this.#files) if (!live.has(path)) this.#files.delete(path)
    const folders = new Set([...this.#files].map(dirname))
    for (const folder of this.#folders) if (!folders.has(folder)) this.#folders.delete(folder)
  }

  /**
   * Paths outside the lake are not looked at, and files that are not there are left to whoever reads them. Undefined when nothing
   * has to be looked at. Errors: `lake_damaged`.
   */
  check(paths: Iterable<string>): Promise<void> | undefined {
    const unknown: string[] = []
    for (const path of paths) if (!this.#files.has(path)) unknown.push(path)
    return unknown.length === 0 ? undefined : this.#lookAtAll(unknown)
  }

  async #lookAtAll(unknown: readonly string[]): Promise<void> {
    for (let first = 0; first < unknown.length; first += AT_ONCE)
      await Promise.all(unknown.slice(first, first + AT_ONCE).map((path) => this.#look(path)))
  }

  async #look(path: string): Promise<void> {
    const found = resolve(path).startsWith(this.#lake + sep)
      ? await lstat(path).catch(unlessMissing)
      : undefined
    if (found === undefined) return
    if (found.isSymbolicLink()) refuse(path, 'is a symbolic link')
    if (!found.isFile()) refuse(path, 'is no regular file')
    if (await this.#isFolderPlain(path)) this.#files.add(path)
  }

  /** Whether a file lies where it seems to; false where its folder is gone, as after a vacuum. */
  async #isFolderPlain(path: string): Promise<boolean> {
    const folder = dirname(path)
    if (this.#folders.has(folder)) return true
    const meant = join(await realpath(this.#lake), relative(this.#lake, resolve(folder)))
    const found = await realpath(folder).catch(unlessMissing)
    if (found === undefined) return false
    if (found !== meant) refuse(path, 'lies behind a symbolic link')
    this.#folders.add(folder)
    return true
  }
}

function unlessMissing(error: unknown): undefined {
  // A folder that may not be searched is told by the engine, in the words of the system.
  if (!isMissing(error) && !hasCode(error, ['EACCES'])) throw error
}

function refuse(path: string, fault: string): never {
  fail('lake_damaged', `${path} ${fault}; data files are regular files of the lake. Restore it from a copy.`)
}
