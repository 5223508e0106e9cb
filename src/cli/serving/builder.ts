import type { Derived } from '../../index/maintenance/derived.ts'
import { forkProgram } from '../../operate/workers/fork-program.ts'
import { writerSettings } from '../../services/row-writer.ts'
import type { Settings } from '../../settings/settings.ts'
import { settingWords } from '../building/setting-words.ts'

/** Builds missing indexes in a child process, so that no serving event loop is blocked. */
export interface Builder {
  /** Builds the indexes that the newest snapshot lacks. Concurrent calls share one process, which logs its errors. */
  build(): Promise<void>
  /** Stops the child process, which removes its incomplete files. */
  close(): Promise<void>
}

/** Settings of the child process. A server with Trino also builds offloaded bytes with Trino. */
export const buildSettings = [
  ...(['lake', 'lake_copy_mb', 'state', 'engine', 'engine_memory_mb'] as const),
  ...writerSettings,
  ...(['trino_server', 'trino_catalog', 'trino_schema', 'trino_user', 'trino_session'] as const),
] as const

export function openBuilder(settings: Settings): Builder {
  let building: Promise<void> | undefined
  let end = () => {}

  function begin(): Promise<void> {
    const child = forkProgram(buildWords(settings))
    // The child aborts its build when the pipe closes.
    end = () => child.connected && child.disconnect()
    return new Promise((resolve) => {
      child.once('error', () => resolve())
      child.once('exit', () => resolve())
    })
  }

  return {
    build() {
      building ??= begin().finally(() => {
        building = undefined
      })
      return building
    },
    async close() {
      end()
      await building
    },
  }
}

/** Returns the command that builds the indexes of a server with these settings. */
export function buildWords(settings: Settings): readonly string[] {
  return ['build-derived', ...settingWords(settings, buildSettings)]
}

/** Wraps a build in another process as the `build` method of the port. */
export function builtBy(build: () => Promise<void>): Derived['build'] {
  return async (_at, { signal } = {}) => {
    signal?.throwIfAborted()
    const stopped = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    await Promise.race([build(), stopped])
  }
}
