import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from '../../support/servers/run-main.ts'
import { copyFolder, endProcesses, type Scenario } from '../interrupts/scenario.ts'
import { endsProcess, type FaultKind, type Injection, isPowerCut, type Operation } from './faults.ts'
import type { Tried } from './points.ts'
import { Trial, trials } from './trial.ts'

/** A scenario with its folder as it is before. */
export interface Prepared {
  readonly scenario: Scenario
  readonly folder: string
  /** Its operations when nothing fails. */
  readonly operations: readonly Operation[]
}

/** Makes what is there before, and goes through the scenario once without a fault. Errors: Error when that does not hold. */
export async function prepare(scenario: Scenario, folder: string): Promise<Prepared> {
  await scenario.prepare(folder)
  endProcesses(folder)
  const trial = new Trial(join(folder, '..', 'count'))
  await attempt(scenario, folder, trial)
  return { scenario, folder, operations: trial.operations }
}

/** One fault at one operation, and everything that has to hold afterwards. */
export async function runPoint({ scenario, folder }: Prepared, injection: Injection): Promise<Tried> {
  const trial = new Trial(join(folder, '..', 'point'), injection)
  const tried = await attempt(scenario, folder, trial).catch((error: Error) => ({
    isHit: true,
    fault: `${trial.step}: ${error.message}`,
  }))
  const operation = trial.operations[injection.at - 1]
  return { scenario: scenario.name, ...injection, ...(operation && { operation }), ...tried }
}

/** What nobody caught; it would have ended the process with a stack. */
let uncaught: unknown
process.on('uncaughtException', (error) => {
  uncaught ??= error
})

async function attempt(
  scenario: Scenario,
  from: string,
  trial: Trial,
): Promise<Pick<Tried, 'isHit' | 'code'>> {
  const { folder, kind } = trial
  rmSync(folder, { recursive: true, force: true })
  copyFolder(from, folder)
  trial.begin()
  uncaught = undefined
  // A process that is gone says nothing any more.
  const ended = await trials
    .run(trial, () => scenario.act(folder))
    .catch((error) => {
      if (trial.isGone) return undefined
      throw error
    })
  const isHit = trial.end()
  if (uncaught !== undefined && !endsProcess(kind)) throw uncaught
  if (isPowerCut(kind) && isHit) trial.durable?.restore()
  if (existsSync(folder)) endProcesses(folder)
  const isOver = endsProcess(kind) && isHit && !trial.isCutAtEnd
  const told = isOver ? undefined : ended
  if (told !== undefined) checkWords(told, kind)
  trial.step = 'after it'
  await scenario.check(folder, told, kind)
  trial.step = 'done again'
  const again = await scenario.act(folder)
  endProcesses(folder)
  assert.equal(again.code, 0, `it ends with ${again.code}: ${again.stderr || again.stdout}`)
  trial.step = 'after it was done again'
  await scenario.checkEnd(folder)
  return { isHit, ...(told && { code: told.code }) }
}

/** What is told is one sentence for a reader, with an exit code that says whose fault it is. */
function checkWords({ code, stdout, stderr }: Ended, kind: FaultKind): void {
  const words = `${stderr}${stdout}`
  assert.doesNotMatch(words, /\n\s+at .*[:(]\d+/, `a stack is printed: ${words}`)
  // A disk that is late changes nothing.
  if (kind === 'slow') assert.equal(code, 0, `it fails although nothing did: ${words}`)
  if (code === 0) return
  assert.match(words, /(ledgerlake|failed): .*\S.*/, `nothing is said but the exit code ${code}`)
  const isBlamed = code === 70 && !/check the disk/.test(words)
  assert.ok(!isBlamed, `it ends with 70, as if nobody had foreseen it: ${words}`)
}
