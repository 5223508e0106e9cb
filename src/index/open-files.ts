import { rmSync } from 'node:fs'
import { DamagedFile } from './blocks/container.ts'

export interface OpenFile {
  readonly path: string
  close(): void
}

/** The index files that are open, by their keys. Damaged files are closed and removed. */
export class OpenFiles<File extends OpenFile> {
  readonly #files = new Map<string, File>()

  has(key: string): boolean {
    return this.#files.has(key)
  }

  get(key: string): File | undefined {
    return this.#files.get(key)
  }

  values(): readonly File[] {
    return [...this.#files.values()]
  }

  /** Closes the files that are not wanted, and opens those that are there and intact. */
  load(wanted: ReadonlyMap<string, () => File>): void {
    for (const key of this.#files.keys()) if (!wanted.has(key)) this.#close(key)
    for (const [key, open] of wanted) {
      const file = this.has(key) ? undefined : openIfIntact(open)
      if (file !== undefined) this.#files.set(key, file)
    }
    this.onChange()
  }

  /** Closes and removes a file. The data files are read until it is built again. */
  forget(key: string): void {
    const file = this.get(key)
    if (file === undefined) return
    this.#close(key)
    try {
      rmSync(file.path, { force: true })
    } catch {
      // In a folder that cannot be written it stays; then it is loaded after the next commit, and forgotten again.
    }
  }

  /** The answer; undefined where a file turns out to be damaged, or was closed meanwhile. */
  attempt<T>(answer: () => T): T | undefined {
    try {
      return answer()
    } catch (error) {
      return this.#giveUp(error)
    }
  }

  attemptLater<T>(answer: () => Promise<T>): Promise<T | undefined> {
    return answer().catch((error) => this.#giveUp(error))
  }

  close(): void {
    for (const key of this.#files.keys()) this.#close(key)
  }

  /** Called after files were opened or closed. */
  protected onChange(): void {}

  #close(key: string): void {
    this.#files.get(key)?.close()
    this.#files.delete(key)
    this.onChange()
  }

  #giveUp(error: unknown): undefined {
    if (!(error instanceof DamagedFile)) throw error
    // A new file may have the name of one that was closed.
    if (!error.isClosed) for (const [key, { path }] of this.#files) if (path === error.path) this.forget(key)
    return undefined
  }
}

/** Undefined if a file cannot be read, is damaged, or has other rows or the form of another release. Blocks are checked when they are read. */
export function openIfIntact<File>(open: () => File): File | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
