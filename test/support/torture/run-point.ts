import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from '../run-main.ts'
import { endsProcess, type FaultKind, type Injection, isPowerCut, type Operation } from './faults.ts'
import { copyFolder, endProcesses, type Scenario } from './scenario.ts'
import { Trial, trials } from './trial.ts'
import type { Tried } from './tried.ts'

/** A scenario with its folder as it is before. */
export interface Prepared {
  readonly scenario: Scenario
  readonly folder: string
  /** What it does when nothing fails. */
  readonly operations: readonly Operation[]
}

type Outcome = Omit<Tried, 'scenario' | keyof Injection>

/** Makes what is there before, and goes through the scenario once without a fault. */
export async function prepare(scenario: Scenario, folder: string): Promise<Prepared> {
  await scenario.prepare(folder)
  endProcesses(folder)
  const copy = join(folder, '..', 'count')
  const { operations } = await attempt(scenario, folder, copy, undefined)
  return { scenario, folder, operations }
}

/** One fault at one operation, and everything that has to hold afterwards. */
export async function runPoint(prepared: Prepared, injection: Injection): Promise<Outcome> {
  const began = performance.now()
  const copy = join(prepared.folder, '..', 'point')
  const seconds = () => Math.round(performance.now() - began) / 1000
  try {
    const { operations, isHit, ended } = await attempt(prepared.scenario, prepared.folder, copy, injection)
    const operation = operations[injection.at - 1]
    return { isHit, ...(operation && { operation }), ...(ended && { code: ended.code }), seconds: seconds() }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    return { isHit: true, ...(error instanceof Fault && error.found), seconds: seconds(), fault }
  }
}

/** What nobody caught; it would have ended the process with a stack. */
let uncaught: unknown
process.on('uncaughtException', (error) => {
  uncaught ??= error
})

class Fault extends Error {
  readonly found: Pick<Outcome, 'operation' | 'code'>

  constructor(step: string, cause: unknown, found: Pick<Outcome, 'operation' | 'code'>) {
    super(`${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.found = found
  }
}

async function attempt(scenario: Scenario, from: string, folder: string, injection: Injection | undefined) {
  rmSync(folder, { recursive: true, force: true })
  copyFolder(from, folder)
  const trial = new Trial(folder, injection)
  let ended: Ended | undefined
  let step = 'while it ran'
  uncaught = undefined
  try {
    // A process that is gone says nothing any more.
    ended = await trials
      .run(trial, () => scenario.act(folder))
      .catch((error) => {
        if (trial.isGone) return undefined
        throw error
      })
    const isHit = trial.end()
    if (uncaught !== undefined && !endsProcess(injection?.kind ?? 'slow')) throw uncaught
    const kind = injection?.kind ?? 'slow'
    const isOver = endsProcess(kind) && isHit
    if (isPowerCut(kind) && isHit) trial.durable?.restore()
    if (existsSync(folder)) endProcesses(folder)
    const wasToldOfSuccess = !isOver || trial.isCutAtEnd
    const told = wasToldOfSuccess ? ended : undefined
    if (told !== undefined) checkWords(told, kind)
    step = 'after it'
    await scenario.check(folder, told, kind)
    step = 'done again'
    const again = await scenario.act(folder)
    endProcesses(folder)
    assert.equal(again.code, 0, `it ends with ${again.code}: ${again.stderr || again.stdout}`)
    step = 'after it was done again'
    await scenario.checkEnd(folder)
    return { operations: trial.operations, isHit, ended: told }
  } catch (error) {
    const operation = injection && trial.operations[injection.at - 1]
    throw new Fault(step, error, { ...(operation && { operation }), ...(ended && { code: ended.code }) })
  }
}

/** A disk that is late changes nothing. */
const harmless: readonly FaultKind[] = ['slow']

/** What is told is one sentence for a reader, with an exit code that says whose fault it is. */
function checkWords({ code, stdout, stderr }: Ended, kind: FaultKind): void {
  const words = `${stderr}${stdout}`
  assert.doesNotMatch(words, /\n\s+at .*[:(]\d+/, `a stack is printed: ${words}`)
  if (harmless.includes(kind)) assert.equal(code, 0, `it fails although nothing did: ${words}`)
  if (code === 0) return
  assert.match(words, /(ledgerlake|failed): .*\S.*/, `nothing is said but the exit code ${code}`)
  const isBlamed = code === 70 && !/check the disk/.test(words)
  assert.ok(!isBlamed, `it ends with 70, as if nobody had foreseen it: ${words}`)
}
