import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow, leftoversOf } from '../../support/lakes/leftovers.ts'
import { must } from '../../support/servers/run-main.ts'
import { expectWholeLog } from '../../support/tables/whole-log.ts'
import { rowsOf, type SourceSums, textsOf, visibleSources } from './sources.ts'

/** States of a lake around a command, by sums that are computed from the messages that came in. */
export interface Held {
  /** Sources that stay, in their old bytes or their new ones. */
  readonly before: readonly SourceSums[]
  readonly after: readonly SourceSums[]
  /** Whether files of older versions are removed. */
  readonly isVacuumed?: boolean
  /** For clients, where the lake has API keys. */
  readonly key?: string
}

/** Every source is in wholly or not at all; all of them once the command said so. */
export async function checkLake(lake: string, held: Held, isDone: boolean): Promise<void> {
  const { before, after, isVacuumed = false } = held
  if (!existsSync(lake)) return assert.ok(!isDone && before.length === 0, `${lake} is gone`)
  const visible = await visibleSources(lake)
  const allowed = new Set(textsOf([...before, ...after]))
  const odd = textsOf(visible).filter((text) => !allowed.has(text))
  assert.deepEqual(odd, [], `${lake} shows sources that are not whole`)
  const shown = new Set(visible.map(({ table, name }) => `${table} ${name}`))
  const lost = before.filter(({ table, name }) => !shown.has(`${table} ${name}`))
  assert.deepEqual(lost, [], `${lake} has lost sources`)
  if (isDone) assert.deepEqual(textsOf(visible), textsOf(after), `${lake} lacks what was said to be in`)
  if (visible.length === 0) return
  if (!isVacuumed) expectWholeLog(lake)
  const { tables } = JSON.parse(await must('status', '--json', '--lake', lake)) as {
    tables: readonly { table: string; rows: number }[]
  }
  for (const { table, rows } of tables.filter((status) => status.table !== 'rejects'))
    assert.equal(rows, rowsOf(visible.filter((source) => source.table === table)), `${table} of ${lake}`)
}

/** The lake is complete, and nothing lies in it that nothing names. */
export async function checkWhole(lake: string, held: Held): Promise<void> {
  await checkLake(lake, held, true)
  assert.deepEqual(leftoversOf(lake), [], `${lake} has files that nothing names`)
  const unfinished = filesBelow(join(lake, '_state')).filter((path) => /building|spill|\.tmp$/.test(path))
  assert.deepEqual(unfinished, [], `${lake} has what an ended process was building`)
}
