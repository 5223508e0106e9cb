import type { Repository } from '../../answers/repository.ts'

/** Value of Server-Timing for a query that began at `begun`: who answered its lists, and what the engine read for all of them. */
export function timingOf(
  begun: number,
  answeredBy: Iterable<string>,
  { statements, files }: ReturnType<Repository['workFor']>,
): string {
  const read = statements === 0 ? [] : [`statements ${statements}`, `files ${files}`]
  const plan = [...new Set(answeredBy), ...read].join(', ')
  return `lake;dur=${(performance.now() - begun).toFixed(2)};desc="${plan}"`
}
