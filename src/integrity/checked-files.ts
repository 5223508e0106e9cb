import { setImmediate } from 'node:timers/promises'
import { fail } from '../errors.ts'
import { damagedFile } from './damaged-file.ts'
import { fingerprintOf, isSame } from './fingerprint.ts'
import { openNames } from './names.ts'
import { type DigestedFile, judge, type Verdict } from './verdict.ts'

/** The name by which a file is to be opened. */
export type NameOf = (path: string) => string

/** The way to the bytes of data files. */
export interface CheckedFiles {
  /**
   * Runs what reads some files, once all of them are sound; its result counts only if none has changed meanwhile, else it is
   * run again. Errors: `lake_damaged` that names a file and its repair; those of `run`; the reason of the signal.
   */
  read<T>(
    files: readonly DigestedFile[],
    run: (nameOf: NameOf) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  /** The same for what gives its results one by one: an error comes instead of the end when a file has changed meanwhile. */
  stream<T>(
    files: readonly DigestedFile[],
    run: (nameOf: NameOf) => AsyncIterable<T>,
    signal?: AbortSignal,
  ): AsyncGenerator<T>
  /** Looks at the bytes of a file whatever is known of it, at most so many a second. */
  check(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict>
  /** What is known of a file as it is now; undefined when its bytes have to be looked at. */
  known(file: DigestedFile): Verdict | undefined
  /** What was found last, of a file that may be another one now, and how many milliseconds ago. */
  latest(path: string): { readonly verdict: Verdict; readonly age: number } | undefined
  /** Files whose digests no log names, such as sorted copies; they may be read from now on. */
  readonly derived: Map<string, DigestedFile>
  /** Takes over what another process found. */
  learn(verdict: Verdict): void
  /** Files and bytes that were looked at so far. */
  readonly work: { readonly files: number; readonly bytes: number }
}

export interface CheckOptions {
  /** Folder of the lake, which sentences leave out of paths. */
  readonly lake: string
  /** Told of whatever this process finds. */
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
}

const AT_ONCE = 8
const LOOKED_AT_ONCE = 256
const MOST_RUNS = 3
/** An error that has another cause comes again and again. */
const DOUBT_AGAIN_MS = 60_000

/** `mayBeDamage` says whether an error of what reads may come from damaged bytes. */
export function openCheckedFiles(
  { lake, onVerdict }: CheckOptions,
  mayBeDamage: (error: unknown) => boolean,
): CheckedFiles {
  const verdicts = new Map<string, Verdict>()
  const foundAt = new Map<string, number>()
  const checking = new Map<string, Promise<Verdict>>()
  const doubtedAt = new Map<string, number>()
  const names = openNames()
  const work = { files: 0, bytes: 0 }

  function learn(verdict: Verdict): void {
    const { path } = verdict.file
    const before = verdicts.get(path)
    const isSilent = before?.fault === undefined && isSame(before?.fingerprint, verdict.fingerprint)
    // Readers may have kept bytes that changed without the times of their file.
    if (verdict.fault !== undefined && isSilent) names.change(path)
    verdicts.set(path, verdict)
    foundAt.set(path, performance.now())
  }

  async function look(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict> {
    const verdict = await judge(file, bytesPerSecond)
    work.files += 1
    work.bytes += verdict.bytes
    return verdict
  }

  function note(verdict: Verdict): Verdict {
    learn(verdict)
    onVerdict?.(verdict)
    return verdict
  }

  /** Callers at the same time share one look at a file, which none of them ends. */
  function checkOnce(file: DigestedFile): Promise<Verdict> {
    const running = checking.get(file.path)
    if (running !== undefined) return running
    const own = look(file)
      // A vacuum may have removed it; whoever knows the newest snapshot tells of it.
      .then((verdict) => (verdict.fingerprint === undefined ? verdict : note(verdict)))
      .finally(() => checking.delete(file.path))
    checking.set(file.path, own)
    return own
  }

  function known({ path, sha256 }: DigestedFile): Verdict | undefined {
    const verdict = verdicts.get(path)
    const isKnown = verdict?.isSettled && verdict.file.sha256 === sha256 && isNow(verdict)
    return isKnown ? verdict : undefined
  }

  /** Errors: `lake_damaged` of the first file that is not sound. */
  async function soundOnes(
    files: readonly DigestedFile[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Verdict[]> {
    const found: Verdict[] = []
    const unknown: number[] = []
    for (const [place, file] of files.entries()) {
      if (place % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await setImmediate()
      const verdict = known(file)
      if (verdict === undefined) unknown.push(place)
      else found[place] = verdict
    }
    if (unknown.length > 0) {
      const places = unknown.values()
      const next = async () => {
        for (const place of places) {
          signal?.throwIfAborted()
          found[place] = await checkOnce(files[place] as DigestedFile)
        }
      }
      await unlessAborted(Promise.all(Array.from({ length: AT_ONCE }, next)), signal)
    }
    const damaged = found.find(({ fault }) => fault !== undefined)
    if (damaged !== undefined) throw damagedFile(damaged, lake)
    return found
  }

  /** Whether what was read may have been other bytes than those that were found; then they are read by another name next. */
  function haveChanged(found: readonly Verdict[]): boolean {
    const changed = found.filter(
      (verdict) => verdicts.get(verdict.file.path)?.fault !== undefined || !isNow(verdict),
    )
    for (const { file } of changed) names.change(file.path)
    return changed.length > 0
  }

  /** Looks at the bytes once more when an error may come from them. Gives whether it is worth to read them again. */
  async function doubt(
    error: unknown,
    files: readonly DigestedFile[],
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (!mayBeDamage(error)) return false
    const now = performance.now()
    const isDue = ({ path }: DigestedFile) => now - (doubtedAt.get(path) ?? -DOUBT_AGAIN_MS) >= DOUBT_AGAIN_MS
    const doubted = files.filter(isDue)
    for (const { path } of doubted) {
      doubtedAt.set(path, now)
      verdicts.delete(path)
      names.change(path)
    }
    await soundOnes(files, signal)
    return doubted.length > 0
  }

  return {
    async read(files, run, signal) {
      for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
        const found = await soundOnes(files, signal)
        try {
          const result = await run(names.of)
          if (!haveChanged(found)) return result
        } catch (error) {
          signal?.throwIfAborted()
          if (!haveChanged(found) && !(await doubt(error, files, signal))) throw error
        }
      }
      return refuseUnrest()
    },

    async *stream(files, run, signal) {
      const found = await soundOnes(files, signal)
      try {
        yield* run(names.of)
      } catch (error) {
        signal?.throwIfAborted()
        if (haveChanged(found)) await soundOnes(files, signal)
        await doubt(error, files, signal)
        throw error
      }
      if (!haveChanged(found)) return
      await soundOnes(files, signal)
      refuseUnrest()
    },

    check: async (file, bytesPerSecond) => note(await look(file, bytesPerSecond)),
    ...{ known, learn, work },
    derived: new Map(),
    latest(path) {
      const verdict = verdicts.get(path)
      return verdict && { verdict, age: performance.now() - (foundAt.get(path) ?? 0) }
    },
  }
}

/** Files of whoever trusts them, such as benches of what checking costs. */
export const uncheckedFiles: CheckedFiles = {
  read: (_files, run) => run((path) => path),
  stream: (_files, run) => run((path) => path) as AsyncGenerator<never>,
  check: (file) => judge(file),
  known: () => undefined,
  latest: () => undefined,
  derived: new Map(),
  learn: () => {},
  work: { files: 0, bytes: 0 },
}

function isNow({ file, fingerprint }: Verdict): boolean {
  try {
    return isSame(fingerprint, fingerprintOf(file.path))
  } catch {
    return false
  }
}

function refuseUnrest(): never {
  return fail('lake_damaged', 'Data files of the lake change while they are read; ask again.', {
    isShown: true,
  })
}

/** Rejects with the reason of the signal as soon as it is aborted; what is under way goes on for others. */
async function unlessAborted(under: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return void (await under)
  const stop = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: stop.signal })
  })
  try {
    await Promise.race([under, aborted])
  } finally {
    stop.abort()
  }
}
