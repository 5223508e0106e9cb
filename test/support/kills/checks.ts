import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { leftoversOf } from '../leftovers.ts'
import { runProgram } from '../run-program.ts'
import type { Step } from './inputs.ts'
import { factsOf, finishIngest, killIngest, type Moment, type Phase, phaseOf } from './run.ts'
import { halfSorted } from './sorted.ts'
import { checkSources, checkStatus, rowsOf, textsOf } from './sources.ts'
import { type SourceSums, visibleSources } from './visible.ts'

/** What has to hold after a kill, and after the next ingest. */

const kinds = [
  'on a fresh lake',
  'on a lake left behind',
  'beside another ingest',
  'around a checkpoint',
  'of the ledger',
  'while sorting for filters',
] as const

export interface Round {
  readonly number: number
  readonly kind: (typeof kinds)[number]
  readonly step: string
  readonly moment: Moment
  /** Undefined when the ingest was over before its kill. */
  readonly phase: Phase | undefined
  /** Rows that were visible after the kill, and that are to be. */
  readonly rows: number
  readonly rowsAtEnd: number
}

interface KillRound extends Pick<Round, 'number' | 'kind' | 'moment'> {
  readonly step: Step
  /** What the lake had before. */
  readonly held: readonly SourceSums[]
  readonly lake: string
  readonly args: readonly string[]
}

export async function killAndCheck({
  number,
  kind,
  step,
  held,
  lake,
  moment,
  args,
}: KillRound): Promise<Round> {
  const before = factsOf(lake)
  const isKilled = await killIngest(lake, args, moment)
  const visible = existsSync(lake) ? await checkVisible(lake, step, held) : []
  const isComplete = textsOf(visible).join() === textsOf(step.sources).join()
  const phase = !isKilled ? undefined : phaseOf(lake, before, isComplete)
  const [rows, rowsAtEnd] = [rowsOf(visible), rowsOf(step.sources)]
  return { number, kind, step: step.name, moment, phase, rows, rowsAtEnd }
}

/** Every source is in wholly or not at all, and what was in before still is, in its old bytes or its new ones. */
export async function checkVisible(
  lake: string,
  step: Step,
  held: readonly SourceSums[],
): Promise<readonly SourceSums[]> {
  const visible = await visibleSources(lake)
  checkSources(lake, visible, held, step.sources)
  const { code, stdout, stderr } = await runProgram(['status', '--json', '--lake', lake], { cwd: lake })
  assert.equal(code, 0, `${lake} does not open: ${stderr}`)
  checkStatus(lake, stdout, visible)
  return visible
}

/** The same ingest once more completes the lake and leaves nothing behind. */
export async function mend(lake: string, args: readonly string[], step: Step): Promise<void> {
  await finishIngest(lake, args)
  assert.deepEqual(textsOf(await visibleSources(lake)), textsOf(step.sources), `${lake} is not complete`)
  assert.deepEqual(leftoversOf(lake), [], `${lake} has files that nothing names`)
  assert.deepEqual(halfSorted(lake), [], `${lake} has what another run did not sort to its end`)
}
