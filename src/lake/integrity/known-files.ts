import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fingerprintOf, isSame } from './fingerprint.ts'
import type { DigestedFile, Verdict } from './verdict.ts'

/** The name by which a file is to be opened. */
export type NameOf = (path: string) => string

/** That of files which have no other one. */
export const ownName: NameOf = (path) => path

interface Known {
  verdict: Verdict | undefined
  /** As `performance.now()` has it. */
  foundAt: number
  doubtedAt: number
  /** When it was seen last that the file is the one that was looked at. */
  seenAt: number
  /** How often it was given another name. */
  renamed: number
}

/** An error that has another cause comes again and again. */
const DOUBT_AGAIN_MS = 60_000
/** Statements of one request, and requests at once, share a look at what tells whether a file has changed. */
const SEEN_MS = 25
const LOOKED_AT_ONCE = 256
/** Names stay well below the longest that the system takes. */
const MOST_RENAMED = 500

/** What was found of files, by their paths. Readers may keep what they read under a name; a longer one leads to the same file. */
export class KnownFiles {
  readonly #files = new Map<string, Known>()
  #isAnyRenamed = false
  /** As often as any file was renamed of which nothing is known any more. */
  #leastRenamed = 0

  get size(): number {
    return this.#files.size
  }

  /** For a list of thousands it matters whether each has to be looked up. */
  get nameOf(): NameOf {
    return this.#isAnyRenamed ? this.#nameOf : ownName
  }

  readonly #nameOf: NameOf = (path) => {
    const renamed = this.#files.get(path)?.renamed ?? this.#leastRenamed
    if (renamed === 0) return path
    const folder = dirname(path)
    return `${folder}/${'./'.repeat(renamed)}${path.slice(folder.length + 1)}`
  }

  learn(verdict: Verdict): void {
    const known = this.#of(verdict.file.path)
    const before = known.verdict
    const isSilent = before?.fault === undefined && isSame(before?.fingerprint, verdict.fingerprint)
    // Readers may have kept bytes that changed without the times of their file.
    if (verdict.fault !== undefined && isSilent) this.#rename(known)
    known.verdict = verdict
    known.foundAt = performance.now()
    known.seenAt = Number.NEGATIVE_INFINITY
  }

  /** What is known of a file as it is now; undefined when its bytes have to be looked at. */
  now({ path, sha256 }: DigestedFile): Verdict | undefined {
    const verdict = this.#files.get(path)?.verdict
    return verdict?.isSettled && verdict.file.sha256 === sha256 && isNow(verdict) ? verdict : undefined
  }

  /** The same for whoever asks `haveChanged` afterwards, of a file that was the same a moment ago. */
  lately(file: DigestedFile): Verdict | undefined {
    const { verdict, seenAt = 0 } = this.#files.get(file.path) ?? {}
    const isLately = verdict?.isSettled && performance.now() - seenAt < SEEN_MS
    return isLately && verdict.file.sha256 === file.sha256 ? verdict : this.now(file)
  }

  /** What was found last, of a file that may be another one now, and how many milliseconds ago. */
  latest(path: string): { readonly verdict: Verdict; readonly age: number } | undefined {
    const { verdict, foundAt = 0 } = this.#files.get(path) ?? {}
    return verdict && { verdict, age: performance.now() - foundAt }
  }

  /** Whether what was read may have been other bytes than those that were found; then they are read by another name next. */
  async haveChanged(found: readonly Verdict[]): Promise<boolean> {
    let isAny = false
    for (const [place, verdict] of found.entries()) {
      if (place % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await setImmediate()
      const known = this.#files.get(verdict.file.path)
      const isStill = known?.verdict?.fault === undefined && isNow(verdict)
      if (known !== undefined && known.verdict === verdict)
        known.seenAt = isStill ? performance.now() : Number.NEGATIVE_INFINITY
      if (isStill) continue
      isAny = true
      this.#rename(known ?? this.#of(verdict.file.path))
    }
    return isAny
  }

  /** Takes back what is known of files, of each at most once a minute. Gives whether it was of any. */
  doubt(files: readonly DigestedFile[]): boolean {
    const now = performance.now()
    const doubted = files
      .map(({ path }) => this.#of(path))
      .filter(({ doubtedAt }) => now - doubtedAt >= DOUBT_AGAIN_MS)
    for (const known of doubted) {
      known.doubtedAt = now
      known.verdict = undefined
      this.#rename(known)
    }
    return doubted.length > 0
  }

  /** Forgets all files but those. */
  retain(isLive: (path: string) => boolean): void {
    for (const [path, { renamed }] of this.#files) {
      if (isLive(path)) continue
      this.#files.delete(path)
      // Should it be read once more, what was kept under its names is used no more than before.
      this.#leastRenamed = Math.max(this.#leastRenamed, renamed)
    }
  }

  /** From now on the file has a name under which nothing was kept. */
  #rename(known: Known): void {
    known.renamed = (known.renamed + 1) % MOST_RENAMED
    this.#isAnyRenamed = true
  }

  #of(path: string): Known {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const renamed = this.#leastRenamed
    const never = Number.NEGATIVE_INFINITY
    const added: Known = { verdict: undefined, foundAt: 0, doubtedAt: never, seenAt: never, renamed }
    this.#files.set(path, added)
    return added
  }
}

function isNow({ file, fingerprint }: Verdict): boolean {
  try {
    return isSame(fingerprint, fingerprintOf(file.path))
  } catch {
    return false
  }
}
