import { setImmediate } from 'node:timers/promises'
import type { ServiceError } from '../../base/errors.ts'
import { forEachConcurrent } from '../../base/for-each-concurrent.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { damagedFile, unreadFile } from './damaged-file.ts'
import type { FileVerdicts } from './file-verdicts.ts'
import { type DigestedFile, judge, type Verdict } from './verdict.ts'

export interface CheckOptions {
  /** Folder of the lake; messages have paths relative to it. */
  readonly lake: string
  /** Fetches a missing or damaged file from the origin of a copy. Errors: ServiceError when it cannot now. */
  readonly bring?: ((file: DigestedFile) => Promise<void>) | undefined
  /** Receives every verdict of this process. */
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
  /** Receives the error of an unreadable file, at most once a minute. */
  readonly onUnread?: ((error: ServiceError) => void) | undefined
}

/** Compares files with their checksums. */
export interface FileChecker {
  /**
   * Returns a verdict on each file. Errors: `lake_damaged` for the first damaged file; `not_ready` when a file cannot be
   * read now; the reason of the signal.
   */
  checkAll(
    files: readonly DigestedFile[],
    signal?: AbortSignal,
    verdictOf?: (file: DigestedFile) => Verdict | undefined,
  ): Promise<readonly Verdict[]>
  /** Checks the bytes of a file in any case, at a limited rate. Errors: `not_ready` when it cannot be read now. */
  check(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict>
  /** Files and bytes checked so far. */
  readonly work: { readonly files: number; readonly bytes: number }
}

const CONCURRENCY = 8
const FILES_PER_TURN = 256
/** One cause often makes many files unreadable. */
const REPORT_AGAIN_MS = 60_000

export function openFileChecker(
  verdicts: FileVerdicts,
  { lake, bring, onVerdict, onUnread }: CheckOptions,
): FileChecker {
  const running = new Map<string, Promise<Verdict>>()
  const work = { files: 0, bytes: 0 }
  let reportedAt = Number.NEGATIVE_INFINITY

  async function look(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict> {
    const verdict = await judgeOnce(file, bytesPerSecond)
    if (verdict.fault === undefined || bring === undefined || file.isDerived) return verdict
    await bring(file)
    return await judgeOnce(file, bytesPerSecond)
  }

  async function judgeOnce(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict> {
    const verdict = await judge(file, bytesPerSecond).catch((error) => refuseUnread(file, error))
    work.files += 1
    work.bytes += verdict.bytes
    return verdict
  }

  function refuseUnread(file: DigestedFile, error: unknown): never {
    const unread = unreadFile(file, error, lake)
    if (performance.now() - reportedAt >= REPORT_AGAIN_MS) {
      reportedAt = performance.now()
      onUnread?.(unread)
    }
    throw unread
  }

  function note(verdict: Verdict): Verdict {
    verdicts.learn(verdict)
    onVerdict?.(verdict)
    return verdict
  }

  /** Concurrent callers share one check of a file; no caller can abort it. */
  function checkOnce(file: DigestedFile): Promise<Verdict> {
    const shared = running.get(file.path)
    if (shared !== undefined) return shared
    const check = look(file)
      // A vacuum may have removed the file; only the newest snapshot shows whether it is missing.
      .then((verdict) => (verdict.fingerprint === undefined ? verdict : note(verdict)))
      .finally(() => running.delete(file.path))
    running.set(file.path, check)
    return check
  }

  return {
    async checkAll(files, signal, verdictOf = (file) => verdicts.now(file)) {
      const results: Verdict[] = []
      const unchecked: [index: number, file: DigestedFile][] = []
      for (const [index, file] of files.entries()) {
        if (index % FILES_PER_TURN === FILES_PER_TURN - 1) await setImmediate()
        const verdict = verdictOf(file)
        if (verdict === undefined) unchecked.push([index, file])
        else results[index] = verdict
      }
      const checkNext = async ([index, file]: (typeof unchecked)[number]) => {
        signal?.throwIfAborted()
        results[index] = await checkOnce(file)
      }
      if (unchecked.length > 0) await unlessGone(forEachConcurrent(unchecked, CONCURRENCY, checkNext), signal)
      const damaged = results.find(({ fault }) => fault !== undefined)
      if (damaged !== undefined) throw damagedFile(damaged, lake)
      return results
    },
    check: async (file, bytesPerSecond) => note(await look(file, bytesPerSecond)),
    work,
  }
}
