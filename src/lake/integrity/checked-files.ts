import { fail } from '../../base/errors.ts'
import { type CheckOptions, type FileChecker, openFileChecker } from './file-checker.ts'
import { FileVerdicts, type NameOf } from './file-verdicts.ts'
import type { DigestedFile, Verdict } from './verdict.ts'

/** Access to data files that were compared with their checksums. */
export interface CheckedFiles extends Pick<FileChecker, 'check' | 'work'> {
  /**
   * Checks files, then runs `run`, and runs it again if a file changed meanwhile. Errors: `lake_damaged`, which names a
   * file and its repair; `not_ready` when a file cannot be read now; those of `run`; the reason of the signal.
   */
  read<T>(
    files: readonly DigestedFile[],
    run: (nameOf: NameOf) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  /** Checks files, then streams the results of `run`. Throws at the end if a file changed meanwhile. */
  stream<T>(
    files: readonly DigestedFile[],
    run: (nameOf: NameOf) => AsyncIterable<T>,
    signal?: AbortSignal,
  ): AsyncGenerator<T>
  /** Returns the verdict on a file if it still holds; undefined when the bytes must be checked. */
  known(file: DigestedFile): Verdict | undefined
  /** Returns the last verdict, which may be outdated, and its age in milliseconds. */
  latest(path: string): { readonly verdict: Verdict; readonly age: number } | undefined
  /** Takes over the verdict of another process. */
  learn(verdict: Verdict): void
  /** Forgets the verdicts on all other files. */
  retain(live: ReadonlySet<string>): void
  /** Returns the number of files with a verdict. */
  size(): number
}

const MOST_RUNS = 3

/** `mayBeDamage` decides whether an error of a reader may come from damaged bytes. */
export function openCheckedFiles(
  options: CheckOptions,
  mayBeDamage: (error: unknown) => boolean,
): CheckedFiles {
  const verdicts = new FileVerdicts()
  const checker = openFileChecker(verdicts, options)

  /** Checks the bytes again if an error may come from them. Resolves to true if another read is worthwhile. */
  async function doubt(
    error: unknown,
    files: readonly DigestedFile[],
    signal?: AbortSignal,
  ): Promise<boolean> {
    if (!mayBeDamage(error)) return false
    const isDoubted = verdicts.doubt(files)
    await checker.checkAll(files, signal)
    return isDoubted
  }

  return {
    async read(files, run, signal) {
      for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
        const checked = await checker.checkAll(files, signal, (file) => verdicts.lately(file))
        try {
          const result = await run(verdicts.nameOf)
          if (!(await verdicts.haveChanged(checked))) return result
        } catch (error) {
          signal?.throwIfAborted()
          if (!(await verdicts.haveChanged(checked)) && !(await doubt(error, files, signal))) throw error
        }
      }
      return refuseChangingFiles()
    },

    async *stream(files, run, signal) {
      const checked = await checker.checkAll(files, signal)
      try {
        yield* run(verdicts.nameOf)
      } catch (error) {
        signal?.throwIfAborted()
        if (await verdicts.haveChanged(checked)) await checker.checkAll(files, signal)
        await doubt(error, files, signal)
        throw error
      }
      if (!(await verdicts.haveChanged(checked))) return
      await checker.checkAll(files, signal)
      refuseChangingFiles()
    },

    ...{ check: checker.check, work: checker.work },
    known: (file) => verdicts.now(file),
    latest: (path) => verdicts.latest(path),
    learn: (verdict) => verdicts.learn(verdict),
    retain: (live) => verdicts.retain((path) => live.has(path)),
    size: () => verdicts.size,
  }
}

function refuseChangingFiles(): never {
  return fail('lake_damaged', 'Data files of the lake change while they are read; ask again.', {
    isShown: true,
  })
}
