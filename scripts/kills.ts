import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '../bench/support/markdown.ts'
import { killIngests, type Round, turns } from '../test/support/kills/rounds.ts'
import { phases } from '../test/support/kills/run.ts'
import { openRun } from '../test/support/open-run.ts'

/**
 * Kills ingests of the built program at random moments, the same for the same seed as far as a clock goes, and checks
 * after each that nothing is lost, doubled or left behind: npm run test:long -- kills --runs 300 --seed 1
 * --only oracles or --only ledger leaves out the others.
 */

/** Fewer kills in one of these phases would prove little. */
const enough = 20
const mustBeHit = ['before the first commit', 'data files linked, entry not'] as const

const usual = { runs: '300', seed: '1', hotspots: '600', transactions: '3000', only: 'all' }
const { values, seconds } = openRun(usual)
const { runs, seed, hotspots, transactions } = values
const only = turns.find((name) => name === values.only)
if (only === undefined) throw new Error(`--only is ${values.only}; use one of ${turns.join(', ')}`)
// A command that starts another one starts the program that was built.
process.argv[1] = fileURLToPath(new URL('../bin/ledgerlake', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'ledgerlake-kills-'))
const rounds = await killIngests({
  folder,
  runs: Number(runs),
  seed: Number(seed),
  hotspots: Number(hotspots),
  transactions: Number(transactions),
  only,
  onRound: say,
}).catch((error) => {
  console.error(`What was found is kept in ${folder}.`)
  throw error
})
await rm(folder, { recursive: true })
printFigures(rounds)

function say({ number, kind, step, moment, phase, rows, rowsAtEnd }: Round): void {
  const when = `${moment.delayMs} ms after ${moment.count > 1 ? `${moment.count} times ` : ''}${moment.after}`
  console.log(`${number}: ${kind}, ${step}, ${when}: ${phase ?? 'over before'}, ${rows} of ${rowsAtEnd} rows`)
}

function printFigures(done: readonly Round[]): void {
  const kinds = [...new Set(done.map((round) => round.kind))]
  const columns = [...phases, undefined]
  const count = (phase: string | undefined, kind?: string) =>
    done.filter((round) => round.phase === phase && (kind === undefined || round.kind === kind)).length
  const table = markdownTable(
    ['killed', ...kinds, 'all'],
    columns.map((phase) => [
      phase ?? 'not: it was over before',
      ...kinds.map((kind) => String(count(phase, kind))),
      String(count(phase)),
    ]),
  )
  const kills = done.length - count(undefined)
  console.log(`\n${table}\n\n${kills} kills with seed ${seed} in ${seconds()} s; every lake was whole.`)
  const few = mustBeHit.filter((phase) => count(phase) < enough)
  if (few.length === 0) return
  console.error(`Hit fewer than ${enough} times: ${few.join('; ')}. More runs are needed.`)
  process.exitCode = 1
}
