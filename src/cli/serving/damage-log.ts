import { BoundedMap } from '../../base/bounded-map.ts'
import { describeDamage, describeRepair } from '../../lake/integrity/damaged-file.ts'
import type { Verdict } from '../../lake/integrity/verdict.ts'
import type { Logger } from './reporter.ts'

/** Limit on remembered files, which may include files that no snapshot names any more. */
const MOST_REMEMBERED = 10_000

/** Logs when a file is found damaged and when it is sound again, once for each change. */
export function damageLog(lake: string, logger: Pick<Logger, 'error' | 'warn'>): (verdict: Verdict) => void {
  const damaged = new BoundedMap<string, true>(MOST_REMEMBERED)
  return (verdict) => {
    const { path } = verdict.file
    if (verdict.fault === undefined) {
      if (damaged.delete(path)) logger.warn(describeRepair(verdict, lake))
      return
    }
    if (!damaged.delete(path)) logger.error(describeDamage(verdict, lake))
    // The path becomes the newest entry.
    damaged.set(path, true)
  }
}
