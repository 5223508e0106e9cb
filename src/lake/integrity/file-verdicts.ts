import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fingerprintOf, isSame } from './fingerprint.ts'
import type { DigestedFile, Verdict } from './verdict.ts'

/** Returns the name by which to open a file. */
export type NameOf = (path: string) => string

/** Opens a file by its path. */
export const unchangedName: NameOf = (path) => path

interface FileState {
  verdict: Verdict | undefined
  /** Times by `performance.now()`. */
  judgedAt: number
  doubtedAt: number
  /** Last time that the fingerprint was the one of the verdict. */
  seenAt: number
  renames: number
}

/** Limits repeated checks for errors that have another cause. */
const DOUBT_AGAIN_MS = 60_000
/** Statements of one request, and concurrent requests, share one fstat of a file. */
const SEEN_MS = 25
const FILES_PER_TURN = 256
/** Keeps names below PATH_MAX. */
const MOST_RENAMES = 500

/** Verdicts on files by path. Readers may cache bytes by name, so a changed file gets a longer name for the same file. */
export class FileVerdicts {
  readonly #files = new Map<string, FileState>()
  #isAnyRenamed = false
  /** Highest rename count of a forgotten file. */
  #leastRenames = 0

  /** Number of files with a verdict. */
  get size(): number {
    return this.#files.size
  }

  /** Skips the lookup per file while no file was renamed, for lists of thousands. */
  get nameOf(): NameOf {
    return this.#isAnyRenamed ? this.#nameOf : unchangedName
  }

  readonly #nameOf: NameOf = (path) => {
    const renames = this.#files.get(path)?.renames ?? this.#leastRenames
    if (renames === 0) return path
    const folder = dirname(path)
    return `${folder}/${'./'.repeat(renames)}${path.slice(folder.length + 1)}`
  }

  /** Takes over a verdict, also one of another process. */
  learn(verdict: Verdict): void {
    const state = this.#stateOf(verdict.file.path)
    const before = state.verdict
    const isSilent = before?.fault === undefined && isSame(before?.fingerprint, verdict.fingerprint)
    // Readers may have cached bytes that changed without a change of the file's times.
    if (verdict.fault !== undefined && isSilent) this.#rename(state)
    state.verdict = verdict
    state.judgedAt = performance.now()
    state.seenAt = Number.NEGATIVE_INFINITY
  }

  /** Returns the verdict on a file if it still holds; undefined when the bytes must be checked. */
  now({ path, sha256 }: DigestedFile): Verdict | undefined {
    const verdict = this.#files.get(path)?.verdict
    return verdict?.isSettled && verdict.file.sha256 === sha256 && isCurrent(verdict) ? verdict : undefined
  }

  /** Returns the same without an fstat if one was made just before. The caller must call `haveChanged` afterwards. */
  lately(file: DigestedFile): Verdict | undefined {
    const { verdict, seenAt = 0 } = this.#files.get(file.path) ?? {}
    const isLately = verdict?.isSettled && performance.now() - seenAt < SEEN_MS
    return isLately && verdict.file.sha256 === file.sha256 ? verdict : this.now(file)
  }

  /** Returns the last verdict, which may be outdated, and its age in milliseconds. */
  latest(path: string): { readonly verdict: Verdict; readonly age: number } | undefined {
    const { verdict, judgedAt = 0 } = this.#files.get(path) ?? {}
    return verdict && { verdict, age: performance.now() - judgedAt }
  }

  /** Checks whether files changed since their verdicts. Changed files get another name. */
  async haveChanged(verdicts: readonly Verdict[]): Promise<boolean> {
    let isAny = false
    for (const [index, verdict] of verdicts.entries()) {
      if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await setImmediate()
      const state = this.#files.get(verdict.file.path)
      const isUnchanged = state?.verdict?.fault === undefined && isCurrent(verdict)
      if (state !== undefined && state.verdict === verdict)
        state.seenAt = isUnchanged ? performance.now() : Number.NEGATIVE_INFINITY
      if (isUnchanged) continue
      isAny = true
      this.#rename(state ?? this.#stateOf(verdict.file.path))
    }
    return isAny
  }

  /** Drops the verdicts on files, at most once a minute for each. Returns true if any was dropped. */
  doubt(files: readonly DigestedFile[]): boolean {
    const now = performance.now()
    const doubted = files
      .map(({ path }) => this.#stateOf(path))
      .filter(({ doubtedAt }) => now - doubtedAt >= DOUBT_AGAIN_MS)
    for (const state of doubted) {
      state.doubtedAt = now
      state.verdict = undefined
      this.#rename(state)
    }
    return doubted.length > 0
  }

  /** Forgets all files that are not live. */
  retain(live: ReadonlySet<string>): void {
    for (const [path, { renames }] of this.#files) {
      if (live.has(path)) continue
      this.#files.delete(path)
      // If it is read again, its former names must stay unused.
      this.#leastRenames = Math.max(this.#leastRenames, renames)
    }
  }

  /** Gives a file a name for which no reader has cached bytes. */
  #rename(state: FileState): void {
    state.renames = (state.renames + 1) % MOST_RENAMES
    this.#isAnyRenamed = true
  }

  #stateOf(path: string): FileState {
    const state = this.#files.get(path)
    if (state !== undefined) return state
    const renames = this.#leastRenames
    const never = Number.NEGATIVE_INFINITY
    const added: FileState = { verdict: undefined, judgedAt: 0, doubtedAt: never, seenAt: never, renames }
    this.#files.set(path, added)
    return added
  }
}

function isCurrent({ file, fingerprint }: Verdict): boolean {
  try {
    return isSame(fingerprint, fingerprintOf(file.path))
  } catch {
    return false
  }
}
