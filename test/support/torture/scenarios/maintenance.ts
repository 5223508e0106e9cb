import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Step } from '../../kills/inputs.ts'
import { rowsOf } from '../../kills/sources.ts'
import { must, runMain } from '../../run-main.ts'
import { checkLake, checkWhole, type Held, lakeIn } from '../lake-checks.ts'
import { INPUT, type Scenario, SMALL } from '../scenario.ts'
import { makeTinySteps } from '../tiny-steps.ts'

/** Compaction and vacuum, over a lake of many small files. */

interface Maintained {
  readonly held: Held
  readonly steps: readonly Step[]
}

/** A lake of two ingests, each of whose files became a commit. */
async function makeLake(folder: string): Promise<Maintained> {
  const [first, second] = await makeTinySteps(join(folder, INPUT))
  for (const { args } of [first, second])
    await must('ingest', ...args, '--lake', lakeIn(folder), '--ingest-commit-rows', '1', ...SMALL)
  return { held: { before: second.sources, after: second.sources }, steps: [first, second] }
}

function compaction(): Scenario {
  let made: Maintained
  let before = ''
  return {
    name: 'compact',
    async prepare(folder) {
      made = await makeLake(folder)
      before = JSON.parse(await must('status', '--json', '--lake', lakeIn(folder))).snapshot
    },
    act: (folder) => runMain(['compact', '--month', '2025-01,2025-02', '--lake', lakeIn(folder), ...SMALL]),
    check: (folder) => checkLake(lakeIn(folder), made.held, true),
    async checkEnd(folder) {
      await checkWhole(lakeIn(folder), made.held)
      await checkOlder(lakeIn(folder), before, made.steps[1] as Step)
    },
  }
}

/** An older snapshot has the rows that it had. */
async function checkOlder(lake: string, snapshot: string, { sources }: Step): Promise<void> {
  const all =
    'export iot-reward-shares --from 2000-01-01 --to 2100-01-01 --format ndjson --out - --integers string'
  const lines = (await must(...all.split(' '), '--as-of', snapshot, '--lake', lake)).trimEnd().split('\n')
  const held = sources.filter(({ table }) => table === 'iot_reward_shares')
  assert.equal(lines.length, rowsOf(held), `rows of snapshot ${snapshot}`)
  const amounts = lines.map((line) => BigInt((JSON.parse(line) as { amount: string | null }).amount ?? 0))
  const sum = held.reduce((total, { sums }) => total + (sums.amount ?? 0n), 0n)
  assert.equal(
    amounts.reduce((total, amount) => total + amount, 0n),
    sum,
    `amounts of snapshot ${snapshot}`,
  )
}

function vacuum(): Scenario {
  let held: Held
  return {
    name: 'vacuum',
    async prepare(folder) {
      held = { ...(await makeLake(folder)).held, isVacuumed: true }
      await must('compact', '--month', '2025-01,2025-02', '--lake', lakeIn(folder), ...SMALL)
    },
    act: (folder) => runMain(['vacuum', '--keep-hours', '0', '--lake', lakeIn(folder)]),
    check: (folder) => checkLake(lakeIn(folder), held, true),
    async checkEnd(folder) {
      await checkWhole(lakeIn(folder), held)
      const left = (await must('vacuum', '--keep-hours', '0', '--dry-run', '--lake', lakeIn(folder))).split(
        '\n',
      )
      assert.match(left.at(-2) ?? '', /^0 files /, 'files of older versions are left')
    },
  }
}

export const maintenance: readonly Scenario[] = [compaction(), vacuum()]
