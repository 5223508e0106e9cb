import type { Repository } from '../../answers/repository.ts'

type QueryWork = Partial<ReturnType<Repository['workFor']>>

/** Writes Server-Timing: milliseconds since `begun`, the access path, and the engine's statements and files. */
export function serverTiming(begun: number, accessPath: string | undefined, work: QueryWork = {}): string {
  const { by = accessPath, statements = 0, files = 0 } = work
  const parts = [by, ...(statements === 0 ? [] : [`statements ${statements}`, `files ${files}`])]
  return `lake;dur=${(performance.now() - begun).toFixed(2)};desc="${parts.join(', ')}"`
}
