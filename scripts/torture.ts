import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kill, killCommands } from '../test/support/kills/commands.ts'
import { openRun } from '../test/support/open-run.ts'
import { runPoints } from '../test/support/torture/run-points.ts'
import { killsTable, pointsTable } from '../test/support/torture/tables.ts'
import type { Tried } from '../test/support/torture/tried.ts'

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
  ...{ folder, points: Number(values.points), seed, file, onPoint: say },
  ...(only !== undefined && { only: only.split(',') }),
})
const faults = tried.filter(({ fault }) => fault !== undefined)
console.log(`\n${pointsTable(tried)}\n\n${tried.length} points with seed ${seed}, ${faults.length} faults.`)
const killed = await kill(`${file}.kills`)
await rm(folder, { recursive: true })
console.log(
  `\n${killsTable(killed)}\n\n${killed.length} kills with seed ${seed}; ${seconds()} s for this part.`,
)
process.exitCode = faults.length === 0 ? 0 : 1

/** Kills as many as are missing in a file of earlier ones. */
async function kill(path: string): Promise<readonly Kill[]> {
  const lines = () => (existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [])
  const before = lines().length
  const kills = Number(values.kills) - before
  if (kills > 0) {
    const onKill = (one: Kill) => {
      if (one.isKilled) appendFileSync(path, `${JSON.stringify(one)}\n`)
    }
    const { answered } = await killCommands({ folder, kills, seed: `${seed} ${before}`, onKill })
    console.log(`${answered} answers were read meanwhile, each of a committed state.`)
  }
  return lines().map((line) => JSON.parse(line) as Kill)
}

function say(point: Tried, done: number): void {
  if (done % 500 === 0) console.log(`${done} points`)
  if (point.fault === undefined) return
  const { scenario, kind, at, operation, fault } = point
  console.log(
    `${scenario}, ${kind} at ${at}, ${operation?.call ?? 'its end'} ${operation?.path ?? ''}: ${fault}`,
  )
}
