import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkSources, checkStatus, textsOf } from '../kills/sources.ts'
import type { SourceSums } from '../kills/visible.ts'
import { visibleSources } from '../kills/visible.ts'
import { filesBelow, leftoversOf } from '../leftovers.ts'
import { must } from '../run-main.ts'
import { expectWholeLog } from '../whole-log.ts'

/** What must hold of a lake after a fault, by sums that are computed from the messages that came in. */

export const lakeIn = (folder: string) => join(folder, 'lake')

export interface Held {
  /** What was in before, and stays in its old bytes or its new ones. */
  readonly before: readonly SourceSums[]
  readonly after: readonly SourceSums[]
  /** Whether files of older versions are removed. */
  readonly isVacuumed?: boolean
}

/** Every source is in wholly or not at all; all of them once the command said so. */
export async function checkLake(lake: string, held: Held, isDone: boolean): Promise<void> {
  if (!existsSync(lake)) return assert.ok(!isDone && held.before.length === 0, `${lake} is gone`)
  const visible = await visibleSources(lake)
  checkSources(lake, visible, held.before, held.after)
  if (isDone) assert.deepEqual(textsOf(visible), textsOf(held.after), `${lake} lacks what was said to be in`)
  if (visible.length === 0) return
  if (held.isVacuumed !== true) expectWholeLog(lake)
  checkStatus(lake, await must('status', '--json', '--lake', lake), visible)
}

/** The lake is complete, and nothing lies in it that nothing names. */
export async function checkWhole(lake: string, held: Held): Promise<void> {
  await checkLake(lake, held, true)
  assert.deepEqual(leftoversOf(lake), [], `${lake} has files that nothing names`)
  const unfinished = filesBelow(join(lake, '_state')).filter((path) => /building|spill|\.tmp$/.test(path))
  assert.deepEqual(unfinished, [], `${lake} has what an ended process was building`)
}
