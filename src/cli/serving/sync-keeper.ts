import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { errorTable, sentenceOf } from '../../base/errors.ts'
import { forkProgram } from '../../base/processes/fork-program.ts'
import { readOriginMark } from '../../lake/disk/origin-mark.ts'
import { writerSettings } from '../../services/row-writer.ts'
import { isInBucket } from '../../services/settings/bucket-settings.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { settingFlags } from '../building/setting-flags.ts'

const EVERY = '15m'
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 300_000

/** Settings of the process that syncs a source. */
const sourceSettings = ['lake', 'state', ...writerSettings, 'ingest_commit_rows'] as const

/** Processes that keep a served lake fresh. */
export interface SyncKeeper {
  /** Stops the syncs; the next start resumes them. */
  close(): Promise<void>
}

/** Settings of the process that follows a lake in a bucket. */
export const followSettings = [...sourceSettings, 'lake_copy_mb', 'lake_poll_ms', 'log_level'] as const

/**
 * Starts a process for each source, and one for a copy of a lake in a bucket. Restarts a process that ends, unless its
 * flags are wrong, which it reports.
 */
export function keepSynced(settings: Settings, say: (sentence: string) => void): SyncKeeper {
  const stop = new AbortController()
  const sources = settings.sync.map((words) => {
    const repeated = words.includes('--every') ? words : [...words, '--every', EVERY]
    return ['sync', ...repeated, ...settingFlags(settings, sourceSettings), '--beside-server']
  })
  const isCopy = isInBucket(readOriginMark(settings.lake)?.url ?? '')
  const follower = isCopy ? [['follow-lake', ...settingFlags(settings, followSettings)]] : []
  const keepers = [...sources, ...follower].map((words) => keepRunning(words, stop.signal, say))
  return {
    async close() {
      stop.abort()
      await Promise.all(keepers)
    },
  }
}

/** Starts a process again whenever it ends, with longer pauses each time. */
async function keepRunning(
  words: readonly string[],
  signal: AbortSignal,
  say: (sentence: string) => void,
): Promise<void> {
  const name = words
    .slice(0, 2)
    .filter((word) => !word.startsWith('-'))
    .join(' ')
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    const code = await exitOf(forkProgram(words), signal)
    if (signal.aborted) return
    if (code === errorTable.malformed_request.exit) {
      say(`${name} has ended, since it cannot be done as --sync says.`)
      return
    }
    say(`${name} has ended with ${code}; it is started again in ${wait / 1000} s.`)
    await setTimeout(wait, undefined, { signal }).catch(() => {})
  }
}

/**
 * Returns the exit code of a child, or the error that kept it from starting. When the signal aborts, closes the pipe,
 * which ends the child.
 */
async function exitOf(child: ChildProcess, signal: AbortSignal): Promise<unknown> {
  const end = () => child.connected && child.disconnect()
  signal.addEventListener('abort', end, { once: true })
  try {
    const [code] = await once(child, 'exit')
    return code
  } catch (error) {
    return sentenceOf(error)
  } finally {
    signal.removeEventListener('abort', end)
  }
}
