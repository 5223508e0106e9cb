import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runPoints } from '../test/support/torture/run-points.ts'
import { pointsTable } from '../test/support/torture/tables.ts'
import type { Tried } from '../test/support/torture/tried.ts'

/**
 * Puts faults into every file operation of the program, one at a time, and checks what must hold after each; then kills real
 * processes: npm run torture -- --points 10000 --seed 1 --only ingest,backup --resume points.ndjson
 * A file given by --resume has a line for each point; those in it are not tried again. Exit code 1 when something did not hold.
 */

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    /** Parts of names of scenarios. */
    only: { type: 'string' },
    resume: { type: 'string' },
  },
})

const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ledgerlake-torture-'))
const began = performance.now()
process.on('exit', () => void rm(folder, { recursive: true, force: true }))
const tried = await runPoints({
  folder,
  points: Number(values.points),
  seed: values.seed,
  ...(values.only !== undefined && { only: values.only.split(',') }),
  file: values.resume ?? join(folder, 'points.ndjson'),
  onPoint: say,
})
await rm(folder, { recursive: true })
const faults = tried.filter(({ fault }) => fault !== undefined)
const seconds = Math.round((performance.now() - began) / 1000)
console.log(
  `\n${pointsTable(tried)}\n\n${tried.length} points with seed ${values.seed}, ${faults.length} faults; ${seconds} s.`,
)
process.exitCode = faults.length === 0 ? 0 : 1

function say(point: Tried, done: number): void {
  if (done % 500 === 0) console.log(`${done} points`)
  if (point.fault === undefined) return
  const { scenario, kind, at, operation, fault } = point
  console.log(
    `${scenario}, ${kind} at ${at}, ${operation?.call ?? 'its end'} ${operation?.path ?? ''}: ${fault}`,
  )
}
