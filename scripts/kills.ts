import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRun } from '../test/support/open-run.ts'
import { countsTable } from '../test/torture/faults/tables.ts'
import { phases } from '../test/torture/kills/kill-command.ts'
import { killCommands, type Round, turns } from '../test/torture/kills/rounds.ts'

/**
 * Kills ingests of the built program at random moments, the same for the same seed as far as a clock goes, and checks
 * after each that nothing is lost, doubled or left behind: npm run test:long -- kills --runs 300 --seed 1
 * --only oracles or --only ledger leaves out the others; --only read kills commands while others read.
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
const rounds = await killCommands({
  ...{ folder, runs: Number(runs), seed: Number(seed), only, onRound: say },
  ...{ hotspots: Number(hotspots), transactions: Number(transactions) },
}).catch((error) => {
  console.error(`What was found is kept in ${folder}.`)
  throw error
})
await rm(folder, { recursive: true })
const notKilled = 'not: it was over before'
const phaseOf = ({ phase }: Round) => phase ?? notKilled
const table = countsTable('killed', rounds, [...phases, notKilled], phaseOf, ({ kind }) => kind)
const killed = rounds.filter(({ phase }) => phase !== undefined)
console.log(`\n${table}\n\n${killed.length} kills with seed ${seed} in ${seconds()} s; every lake was whole.`)
const few = mustBeHit.filter((name) => killed.filter(({ phase }) => phase === name).length < enough)
if (few.length > 0 && only !== 'read') {
  console.error(`Hit fewer than ${enough} times: ${few.join('; ')}. More runs are needed.`)
  process.exitCode = 1
}

function say({ number, kind, step, moment, phase, rows, rowsAtEnd }: Round): void {
  const when = `${moment.delayMs} ms after ${moment.count > 1 ? `${moment.count} times ` : ''}${moment.after}`
  console.log(`${number}: ${kind}, ${step}, ${when}: ${phase ?? 'over before'}, ${rows} of ${rowsAtEnd} rows`)
}
