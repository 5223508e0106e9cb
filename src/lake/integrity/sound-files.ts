import { setImmediate } from 'node:timers/promises'
import type { ServiceError } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { damagedFile, unreadFile } from './damaged-file.ts'
import type { KnownFiles } from './known-files.ts'
import { type DigestedFile, judge, type Verdict } from './verdict.ts'

export interface CheckOptions {
  /** Folder of the lake, which sentences leave out of paths. */
  readonly lake: string
  /** Brings a file that is not there, or not with its bytes, from where the lake is a copy of. Errors: ServiceError when it cannot now. */
  readonly bring?: ((file: DigestedFile) => Promise<void>) | undefined
  /** Told of whatever this process finds. */
  readonly onVerdict?: ((verdict: Verdict) => void) | undefined
  /** Told why a file could not be read, at most once a minute. */
  readonly onUnread?: ((error: ServiceError) => void) | undefined
}

/** Looks at files whose bytes are not known. */
export interface SoundFiles {
  /**
   * What was found of each file. Errors: `lake_damaged` of the first that is not sound; `not_ready` when one cannot be read now;
   * the reason of the signal.
   */
  all(
    files: readonly DigestedFile[],
    signal?: AbortSignal,
    knownOf?: (file: DigestedFile) => Verdict | undefined,
  ): Promise<readonly Verdict[]>
  /** Looks at the bytes of a file whatever is known of it, at most so many a second. Errors: `not_ready` when it cannot be read now. */
  check(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict>
  /** Files and bytes that were looked at so far. */
  readonly work: { readonly files: number; readonly bytes: number }
}

const AT_ONCE = 8
const LOOKED_AT_ONCE = 256
/** What keeps one file from being read keeps others too. */
const TELL_AGAIN_MS = 60_000

export function openSoundFiles(
  known: KnownFiles,
  { lake, bring, onVerdict, onUnread }: CheckOptions,
): SoundFiles {
  const underWay = new Map<string, Promise<Verdict>>()
  const work = { files: 0, bytes: 0 }
  let toldAt = Number.NEGATIVE_INFINITY

  async function look(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict> {
    const verdict = await judgeOnce(file, bytesPerSecond)
    if (verdict.fault === undefined || bring === undefined || file.isDerived) return verdict
    await bring(file)
    return await judgeOnce(file, bytesPerSecond)
  }

  async function judgeOnce(file: DigestedFile, bytesPerSecond?: number): Promise<Verdict> {
    const verdict = await judge(file, bytesPerSecond).catch((error) => refuseRequest(file, error))
    work.files += 1
    work.bytes += verdict.bytes
    return verdict
  }

  function refuseRequest(file: DigestedFile, error: unknown): never {
    const unread = unreadFile(file, error, lake)
    if (performance.now() - toldAt >= TELL_AGAIN_MS) {
      toldAt = performance.now()
      onUnread?.(unread)
    }
    throw unread
  }

  function note(verdict: Verdict): Verdict {
    known.learn(verdict)
    onVerdict?.(verdict)
    return verdict
  }

  /** Callers at the same time share one look at a file, which none of them ends. */
  function checkOnce(file: DigestedFile): Promise<Verdict> {
    const running = underWay.get(file.path)
    if (running !== undefined) return running
    const own = look(file)
      // A vacuum may have removed it; whoever knows the newest snapshot tells of it.
      .then((verdict) => (verdict.fingerprint === undefined ? verdict : note(verdict)))
      .finally(() => underWay.delete(file.path))
    underWay.set(file.path, own)
    return own
  }

  return {
    async all(files, signal, knownOf = (file) => known.now(file)) {
      const found: Verdict[] = []
      const unknown: number[] = []
      for (const [place, file] of files.entries()) {
        if (place % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await setImmediate()
        const verdict = knownOf(file)
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
        await unlessGone(Promise.all(Array.from({ length: AT_ONCE }, next)), signal)
      }
      const damaged = found.find(({ fault }) => fault !== undefined)
      if (damaged !== undefined) throw damagedFile(damaged, lake)
      return found
    },
    check: async (file, bytesPerSecond) => note(await look(file, bytesPerSecond)),
    work,
  }
}
