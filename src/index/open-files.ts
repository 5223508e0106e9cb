import { rmSync } from 'node:fs'
import { DamagedFile } from './blocks/container.ts'

export interface OpenFile {
  readonly path: string
  close(): void
}

/** The open index files by key. Closes and removes damaged files. */
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

  /** Closes all files that are not in `openers`, and opens the missing ones that are intact. */
  load(openers: ReadonlyMap<string, () => File>): void {
    for (const key of this.#files.keys()) if (!openers.has(key)) this.#close(key)
    for (const [key, open] of openers) {
      const file = this.has(key) ? undefined : openIfIntact(open)
      if (file !== undefined) this.#files.set(key, file)
    }
    this.onChange()
  }

  /** Closes and removes a file; requests read the data files until it is rebuilt. */
  forget(key: string): void {
    const file = this.get(key)
    if (file === undefined) return
    this.#close(key)
    try {
      rmSync(file.path, { force: true })
    } catch {
      // In a read-only folder the file stays, and the next commit loads it again.
    }
  }

  /** Returns the result of `read`; undefined if a file is damaged or was closed meanwhile. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      return this.#forgetDamaged(error)
    }
  }

  attemptLater<T>(read: () => Promise<T>): Promise<T | undefined> {
    return read().catch((error) => this.#forgetDamaged(error))
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

  #forgetDamaged(error: unknown): undefined {
    if (!(error instanceof DamagedFile)) throw error
    // A new file may have the path of a closed one.
    if (!error.isClosed) for (const [key, { path }] of this.#files) if (path === error.path) this.forget(key)
    return undefined
  }
}

/** Undefined if a file cannot be opened. Checksums of blocks are verified when they are read. */
export function openIfIntact<File>(open: () => File): File | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
