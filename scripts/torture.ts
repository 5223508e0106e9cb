import { appendFileSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRun } from '../test/support/open-run.ts'
import { allKinds } from '../test/torture/faults/faults.ts'
import { hasFault, readLines } from '../test/torture/faults/points.ts'
import { runPoints } from '../test/torture/faults/run-points.ts'
import { countsTable } from '../test/torture/faults/tables.ts'
import { killCommands, type Round } from '../test/torture/kills/rounds.ts'

/**
 * Puts faults into every file operation of the program, one at a time, and checks what must hold after each; then kills real
 * processes of the built program with others reading: npm run test:long -- torture --points 10000 --kills 1000 --seed 1 --only ingest,backup
 * With --resume FILE each point and kill becomes a line of that file, and those in it count. Exit code 1 when something did not hold.
 */

/** `--only` has parts of names of scenarios. */
const { values, seconds } = openRun({
  ...{ points: '10000', kills: '1000', seed: '1', only: undefined, resume: undefined },
})

const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ledgerlake-torture-'))
process.on('exit', () => void rm(folder, { recursive: true, force: true }))
const file = values.resume ?? join(folder, 'points.ndjson')
const { seed, only } = values
const tried = await runPoints({
  ...{ folder, points: Number(values.points), seed, file },
  ...(only !== undefined && { only: only.split(',') }),
})
const hit = tried.filter(({ isHit }) => isHit)
const table = countsTable(
  'fault',
  hit,
  allKinds,
  (point) => point.kind,
  (point) => point.scenario,
)
const faults = tried.filter(hasFault)
console.log(`\n${table}\n\n${tried.length} points with seed ${seed}, ${faults.length} faults.`)

const before = readLines<Round>(`${file}.kills`).length
const runs = Number(values.kills) - before
if (runs > 0) await killCommands({ folder, runs, seed: `${seed} ${before}`, only: 'read', onRound: keep })
const kills = readLines<Round>(`${file}.kills`)
const commands = [...new Set(kills.map(({ command }) => command))]
const answered = kills.reduce((sum, round) => sum + round.answered, 0)
console.log(
  `\n${countsTable(
    'killed',
    kills,
    commands,
    ({ command }) => command,
    ({ step }) => step,
  )}`,
)
console.log(
  `\n${kills.length} kills with seed ${seed}, ${answered} replies meanwhile, each of a committed state; ${seconds()} s for this part.`,
)
await rm(folder, { recursive: true })
process.exitCode = faults.length === 0 ? 0 : 1

function keep(round: Round): void {
  if (round.phase !== undefined) appendFileSync(`${file}.kills`, `${JSON.stringify(round)}\n`)
}
