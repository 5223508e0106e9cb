import type { Derived } from '../../index/maintenance/derived.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { type BuilderProcess, startBuilder } from '../building/builder-process.ts'

/** Builds missing indexes in a child process, so that no serving event loop is blocked. */
export interface Builder {
  /** Builds the indexes that the newest snapshot lacks. Concurrent calls share one process, which logs its errors. */
  build(): Promise<void>
  /** Stops the child process, which removes its incomplete files. */
  close(): Promise<void>
}

export function openBuilder(settings: Settings): Builder {
  let running: BuilderProcess | undefined
  return {
    async build() {
      const builder = running ?? startBuilder(settings)
      running = builder
      await builder.ended
      if (running === builder) running = undefined
    },
    async close() {
      running?.close()
      await running?.ended
    },
  }
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
