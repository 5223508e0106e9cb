import { deepStrictEqual } from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { writeJson } from '../../src/base/values/json-writer.ts'
import { quickTry, thirtyDays } from '../support/network.ts'
import { headOf, resultOf, writeResult } from '../support/results.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openChecker } from './check.ts'
import { measure } from './measure.ts'
import { type Sort, sortsOf } from './questions.ts'
import { openSetup, type Setup } from './setup.ts'
import { type TotalsCase, totalsTables } from './table.ts'

/** Totals and pages: in process and over HTTP, beside raw DuckDB and a bare server. */

const { values: flags } = parseArgs({ options: { small: { type: 'boolean', default: false } } })
const workload = flags.small ? quickTry : thirtyDays
const turns = { rounds: 5, msPerTurn: flags.small ? 50 : 1000, mostPerTurn: 400 }

const setup = await openSetup(temporaryFolder(), workload)
const sorts = sortsOf(workload, setup.at)
const bodies = await checkAnswers(setup, sorts)
console.log(`${bodies.size} answers checked`)
const cases: TotalsCase[] = []
for (const sort of sorts) {
  const measured = await measure(setup, sort, bodies, turns)
  console.log(`${sort.name}: ${measured.ours.samples} answers in process, ${measured.http.samples} over HTTP`)
  cases.push(measured)
}
await setup.close()

const result = resultOf('totals', [workload], cases)
console.log(`\n${headOf(result)}\n\n${totalsTables(result)}`)
if (!flags.small) console.log(`\n${writeResult(result)}`)

/**
 * Every answer must be that of the files, and the served text that answer, before anything is timed.
 * Leaves each with the bare server and gives them by address.
 */
async function checkAnswers(
  { at, answer, served, bare }: Setup,
  sorts: readonly Sort[],
): Promise<ReadonlyMap<string, string>> {
  const checker = await openChecker(at)
  const checked = new Map<string, string>()
  for (const question of sorts.flatMap((sort) => sort.questions)) {
    const answered = await answer(question)
    await checker.check(question, answered)
    const text = writeJson(answered)
    deepStrictEqual((await served.get(question.address)).toString(), text)
    await bare.put(question.address, text)
    checked.set(question.address, text)
  }
  checker.close()
  return checked
}
