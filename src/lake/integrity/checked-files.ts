import { fail, ServiceError } from '../../base/errors.ts'
import type { MayBeDamage } from '../ports/file-rows-reader.ts'
import { type CheckOptions, type FileChecker, openFileChecker } from './file-checker.ts'
import { FileVerdicts, type NameOf } from './file-verdicts.ts'
import type { DigestedFile } from './verdict.ts'

/** Access to data files that were compared with their checksums. */
export interface CheckedFiles extends Pick<FileChecker, 'check' | 'work'> {
  readonly verdicts: FileVerdicts
  /**
   * Checks files, then runs `run`, and runs it again if a file changed meanwhile. Errors: `lake_damaged`, which names a
   * file and its repair; `not_ready` when a file cannot be read now; those of `run`; the reason of the signal. After an
   * error of `run` that passes `mayBeDamage` the bytes are checked again.
   */
  read<T>(
    files: readonly DigestedFile[],
    run: (nameOf: NameOf) => Promise<T>,
    signal?: AbortSignal,
    mayBeDamage?: MayBeDamage,
  ): Promise<T>
  /** Checks files, then streams the results of `run`. Throws at the end if a file changed meanwhile. */
  stream<T>(
    files: readonly DigestedFile[],
    run: (nameOf: NameOf) => AsyncIterable<T>,
    signal?: AbortSignal,
    mayBeDamage?: MayBeDamage,
  ): AsyncGenerator<T>
}

const MOST_RUNS = 3

/** Returns false for errors of the program itself, and for damage that a response has named. */
const isUnexplained: MayBeDamage = (error) =>
  !(error instanceof ServiceError) || (error.code === 'lake_damaged' && !error.isShown)

export function openCheckedFiles(options: CheckOptions): CheckedFiles {
  const verdicts = new FileVerdicts()
  const checker = openFileChecker(verdicts, options)

  /** Checks the bytes again. Resolves to true if another read is worthwhile. */
  async function doubt(files: readonly DigestedFile[], signal?: AbortSignal): Promise<boolean> {
    const isDoubted = verdicts.doubt(files)
    await checker.checkAll(files, signal)
    return isDoubted
  }

  return {
    async read(files, run, signal, mayBeDamage = isUnexplained) {
      for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
        const checked = await checker.checkAll(files, signal, (file) => verdicts.lately(file))
        try {
          const result = await run(verdicts.nameOf)
          if (!(await verdicts.haveChanged(checked))) return result
        } catch (error) {
          signal?.throwIfAborted()
          if (await verdicts.haveChanged(checked)) continue
          if (!mayBeDamage(error) || !(await doubt(files, signal))) throw error
        }
      }
      return refuseChangingFiles()
    },

    async *stream(files, run, signal, mayBeDamage = isUnexplained) {
      const checked = await checker.checkAll(files, signal)
      try {
        yield* run(verdicts.nameOf)
      } catch (error) {
        signal?.throwIfAborted()
        if (await verdicts.haveChanged(checked)) await checker.checkAll(files, signal)
        if (mayBeDamage(error)) await doubt(files, signal)
        throw error
      }
      if (!(await verdicts.haveChanged(checked))) return
      await checker.checkAll(files, signal)
      refuseChangingFiles()
    },

    ...{ verdicts, check: checker.check, work: checker.work },
  }
}

function refuseChangingFiles(): never {
  return fail('lake_damaged', 'Data files of the lake change while they are read; ask again.', {
    isShown: true,
  })
}
