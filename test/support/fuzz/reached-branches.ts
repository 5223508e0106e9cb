import { type Profiler, Session } from 'node:inspector'

/** Blocks of the program that were run, as V8 counts them. */
export interface ReachedBranches {
  /** How many blocks of `src` were run for the first time since the last call. */
  takeNew(): number
  close(): void
}

/** Begins to count. One at a time in a process: V8 tells each block once. */
export function countBranches(): ReachedBranches {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  const known = new Set<string>()

  function take(): readonly Profiler.ScriptCoverage[] {
    let scripts: readonly Profiler.ScriptCoverage[] = []
    // Without a thread between, the answer comes before the call returns.
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error
      scripts = result
    })
    return scripts
  }

  return {
    takeNew() {
      const before = known.size
      for (const { url, functions } of take()) {
        const file = url.lastIndexOf('/src/')
        if (file < 0 || url.includes('/node_modules/')) continue
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) known.add(`${url.slice(file)}:${startOffset}-${endOffset}`)
      }
      return known.size - before
    },
    close() {
      session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}
