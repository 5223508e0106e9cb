import assert from 'node:assert/strict'
import { must } from '../../../support/servers/run-main.ts'
import { checkLake, checkWhole, type Held } from '../lake-checks.ts'
import { type CommandScenario, growLake, lakeIn, ofCommand, SMALL } from '../scenario.ts'
import { rowsOf, type SourceSums } from '../sources.ts'
import { every } from './ingests.ts'

const compactLine = (folder: string) => [
  ...['compact', '--month', '2025-01,2025-02', '--lake', lakeIn(folder), ...SMALL],
]
const vacuumLine = (folder: string) => ['vacuum', '--keep-hours', '0', '--lake', lakeIn(folder)]

/** A command over a lake of two ingests, each of whose files became a commit; it changes nothing that is visible. */
function maintaining(
  name: string,
  command: (folder: string) => readonly string[],
  more: (folder: string) => Promise<void>,
  checkMore: (folder: string, held: Held) => Promise<void>,
): CommandScenario {
  const isVacuumed = name === 'vacuum'
  let held: Held = { before: [], after: [] }
  return ofCommand({
    ...{ name, command, held: () => held },
    async prepare(folder) {
      const [, { sources }] = await growLake(folder, 2, ...every(1))
      held = { before: sources, after: sources, isVacuumed }
      await more(folder)
    },
    check: (folder) => checkLake(lakeIn(folder), held, true),
    async checkEnd(folder) {
      await checkWhole(lakeIn(folder), held)
      await checkMore(folder, held)
    },
  })
}

/** An older snapshot has the rows that it had. */
async function checkOlder(lake: string, snapshot: string, sources: readonly SourceSums[]): Promise<void> {
  const all =
    'export iot-reward-shares --from 2000-01-01 --to 2100-01-01 --format ndjson --out - --integers string'
  const lines = (await must(...all.split(' '), '--as-of', snapshot, '--lake', lake)).trimEnd().split('\n')
  const held = sources.filter(({ table }) => table === 'iot_reward_shares')
  assert.equal(lines.length, rowsOf(held), `rows of snapshot ${snapshot}`)
  const amounts = lines.map((line) => BigInt((JSON.parse(line) as { amount: string | null }).amount ?? 0))
  assert.equal(
    amounts.reduce((total, amount) => total + amount, 0n),
    held.reduce((total, { sums }) => total + (sums.amount ?? 0n), 0n),
    `amounts of snapshot ${snapshot}`,
  )
}

let uncompacted = ''

export const maintenance: readonly CommandScenario[] = [
  maintaining(
    'compact',
    compactLine,
    async (folder) => {
      uncompacted = JSON.parse(await must('status', '--json', '--lake', lakeIn(folder))).snapshot
    },
    (folder, { after }) => checkOlder(lakeIn(folder), uncompacted, after),
  ),
  maintaining(
    'vacuum',
    vacuumLine,
    async (folder) => void (await must(...compactLine(folder))),
    async (folder) => {
      const left = (await must(...vacuumLine(folder), '--dry-run')).split('\n')
      assert.match(left.at(-2) ?? '', /^0 files /, 'files of older versions are left')
    },
  ),
]
