import type { JsonObject } from '../../src/base/values/json-writer.ts'
import { readExact } from '../../test/support/exact-json.ts'
import { type Checker, checkPage, facetsOf } from '../peers/check.ts'
import type { Question } from '../peers/questions.ts'
import { openClient } from '../support/client.ts'
import type { Asked } from '../support/load-process.ts'
import type { Serving } from '../support/program.ts'

/** So many pages of a case are compared with SQL over the files, which puts a day into order for each. */
const PAGES_CHECKED = 20

/** Every total as SQL over the files says; of pages those that the server gives, once some of them are those of the files. */
export async function checkedAnswers(
  served: Serving,
  questions: readonly Question[],
  checker: Checker,
): Promise<readonly Asked[]> {
  if (questions[0]?.verb === 'totals') {
    const bodies = await checker.totals(questions)
    return questions.map(({ address }, index) => ({ path: address, status: 200, body: bodies[index] ?? '' }))
  }
  const right = await checker.pages(questions.slice(0, PAGES_CHECKED))
  const client = openClient(served.address)
  const asked: Asked[] = []
  for (const [index, { address }] of questions.entries()) {
    const body = (await client.get(address)).toString()
    const page = readExact<{ readonly records: readonly JsonObject[] }>(body)
    if (index < right.length) checkPage(address, page.records.map(facetsOf), right[index])
    asked.push({ path: address, status: 200, body })
  }
  client.close()
  return asked
}
