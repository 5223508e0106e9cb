import type { Derived } from '../../index/maintenance/derived.ts'
import { forkProgram } from '../../operate/workers/fork-program.ts'
import { writerSettings } from '../../services/row-writer.ts'
import type { Settings } from '../../settings/settings.ts'
import { settingWords } from '../building/setting-words.ts'

/** Builds what is derived and missing in a process of its own, so that no event loop that answers is held up. */
export interface Builder {
  /** Builds what the newest snapshot lacks; callers at the same time share one process. Its errors are printed by it. */
  build(): Promise<void>
  /** Ends the process, which removes what it has begun. */
  close(): Promise<void>
}

/** The settings that building needs: a server that asks Trino also asks it for what is kept beside the indexes. */
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
    // It gives up what it builds once the pipe is closed.
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

/** The command that builds what a server with these settings lacks. */
export function buildWords(settings: Settings): readonly string[] {
  return ['build-derived', ...settingWords(settings, buildSettings)]
}

/** Building by somebody else, as the port has it. */
export function builtBy(build: () => Promise<void>): Derived['build'] {
  return async (_at, { signal } = {}) => {
    signal?.throwIfAborted()
    const stopped = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    await Promise.race([build(), stopped])
  }
}
