import { fail } from '../../base/errors.ts'
import { KnownFiles, type NameOf } from './known-files.ts'
import { type CheckOptions, openSoundFiles, type SoundFiles } from './sound-files.ts'
import type { DigestedFile, Verdict } from './verdict.ts'

/** The way to the bytes of data files. */
export interface CheckedFiles extends Pick<SoundFiles, 'check' | 'work'> {
  /**
   * Runs what reads some files, once all of them are sound; its result counts only if none has changed meanwhile, else it is
   * run again. Errors: `lake_damaged` that names a file and its repair; `not_ready` when one cannot be read now; those of `run`; the reason of the signal.
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
  /** What is known of a file as it is now; undefined when its bytes have to be looked at. */
  known(file: DigestedFile): Verdict | undefined
  /** What was found last, of a file that may be another one now, and how many milliseconds ago. */
  latest(path: string): { readonly verdict: Verdict; readonly age: number } | undefined
  /** Takes over what another process found. */
  learn(verdict: Verdict): void
  /** Forgets what is known of files that are not live. */
  retain(live: ReadonlySet<string>): void
  /** Of how many files something is known. */
  size(): number
}

const MOST_RUNS = 3

/** `mayBeDamage` says whether an error of what reads may come from damaged bytes. */
export function openCheckedFiles(
  options: CheckOptions,
  mayBeDamage: (error: unknown) => boolean,
): CheckedFiles {
  const known = new KnownFiles()
  const sound = openSoundFiles(known, options)

  /** Looks at the bytes once more when an error may come from them. Gives whether it is worth to read them again. */
  async function doubt(
    error: unknown,
    files: readonly DigestedFile[],
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (!mayBeDamage(error)) return false
    const isDoubted = known.doubt(files)
    await sound.all(files, signal)
    return isDoubted
  }

  return {
    async read(files, run, signal) {
      for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
        const found = await sound.all(files, signal, (file) => known.lately(file))
        try {
          const result = await run(known.nameOf)
          if (!(await known.haveChanged(found))) return result
        } catch (error) {
          signal?.throwIfAborted()
          if (!(await known.haveChanged(found)) && !(await doubt(error, files, signal))) throw error
        }
      }
      return refuseUnrest()
    },

    async *stream(files, run, signal) {
      const found = await sound.all(files, signal)
      try {
        yield* run(known.nameOf)
      } catch (error) {
        signal?.throwIfAborted()
        if (await known.haveChanged(found)) await sound.all(files, signal)
        await doubt(error, files, signal)
        throw error
      }
      if (!(await known.haveChanged(found))) return
      await sound.all(files, signal)
      refuseUnrest()
    },

    ...{ check: sound.check, work: sound.work },
    known: (file) => known.now(file),
    latest: (path) => known.latest(path),
    learn: (verdict) => known.learn(verdict),
    retain: (live) => known.retain((path) => live.has(path)),
    size: () => known.size,
  }
}

function refuseUnrest(): never {
  return fail('lake_damaged', 'Data files of the lake change while they are read; ask again.', {
    isShown: true,
  })
}
