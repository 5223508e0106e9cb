import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { costOf, type StorePrices, type StoreUsage } from '../../../src/operate/sync/prices.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { runProgram } from '../servers/run-program.ts'
import { awsEnvironment } from './bucket-server.ts'
import { checkCounted } from './killed-rounds.ts'
import { type Place, runSync, syncArguments } from './run-sync.ts'

/** What a run says that it costs, and may cost, held against what the store has seen. */

/** In nano-dollars, and the flag that says so: listings are cheap, so that reads of objects spend the budget. */
const prices: StorePrices = { perThousandLists: 200_000n, perThousandReads: 400_000n, perGb: 90_000_000n }
const listPrice = ['--list-price', '0.0002']
const HUNDRED = 100n
const NEAR_PERCENT = 2n
const BUDGET_STEPS = 4n
const KILLS_A_BUDGET = 8

interface Bill {
  readonly usage: StoreUsage
  readonly nanos: bigint
}

/** An estimate, and what the run after it used by the proxy. Errors: AssertionError when they differ by more than 2 %. */
export async function checkEstimate(
  place: Place,
): Promise<{ readonly estimated: Bill; readonly used: Bill }> {
  const args = [...syncArguments(place), ...listPrice, '--estimate']
  const { stdout, code, stderr } = await runProgram(args, { cwd: place.folder, env: awsEnvironment })
  assert.equal(code, 0, stderr)
  const said = JSON.parse(stdout) as { usage: { lists: number; reads: number; bytes: string }; nanos: string }
  const estimated = { usage: { ...said.usage, bytes: BigInt(said.usage.bytes) }, nanos: BigInt(said.nanos) }
  const before = place.proxy.bill()
  const run = await runSync(place)
  assert.equal(run.code, 0, run.stderr)
  const { lists, reads, bytes } = place.proxy.bill()
  const usage = { lists: lists - before.lists, reads: reads - before.reads, bytes: bytes - before.bytes }
  const used = { usage, nanos: costOf(usage, prices) }
  for (const name of ['lists', 'reads', 'bytes'] as const) near(name, estimated.usage[name], usage[name])
  near('nano-dollars', estimated.nanos, used.nanos)
  return { estimated, used }
}

function near(name: string, estimated: bigint | number, used: bigint | number): void {
  const apart = BigInt(estimated) - BigInt(used)
  const isNear = (apart < 0n ? -apart : apart) * HUNDRED <= BigInt(used) * NEAR_PERCENT
  assert(isNear, `${estimated} ${name} were estimated, and ${used} were used`)
}

/** A budget that grows from part of the cost on, with kills at random. Errors: AssertionError when it is exceeded. */
export async function checkBudget(place: Place, cost: bigint, random: Random) {
  let [runs, kills] = [0, 0]
  const steps: string[] = []
  const spent = () => costOf(place.proxy.bill(), prices)
  for (let step = 1n; step <= BUDGET_STEPS; step += 1n) {
    const budget = (cost * step) / BUDGET_STEPS
    for (let round = 1; ; round += 1) {
      const isKilled = round <= KILLS_A_BUDGET
      const [reads, ms] = [1 + random.below(40), random.below(6000)]
      const moment = random.chance(0.5) ? () => place.proxy.afterReads(reads) : () => setTimeout(ms)
      const flags = [...listPrice, '--budget', dollars(budget)]
      const run = await runSync(place, flags, isKilled ? moment : undefined)
      runs += 1
      assert(spent() <= budget, `${spent()} nano-dollars are spent of a budget of ${budget}`)
      await checkCounted(place)
      if (run.code === null) kills += 1
      else if (run.said?.isBudgetSpent) break
      assert(round < 40, `a budget of ${budget} is never spent: ${JSON.stringify(run)}`)
    }
    steps.push(`${dollars(budget)} USD: ${spent()} of ${budget} nano-dollars`)
  }
  return { runs, kills, steps }
}

function dollars(nanos: bigint): string {
  const digits = String(nanos).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`
}
