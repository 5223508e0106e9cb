import type { Case } from '../peers/cases.ts'
import { measure, overHttp, type Rounds, type TimedCase } from '../peers/measure.ts'
import type { Load } from '../support/load.ts'
import { checkedRequests, type Pages } from './page-requests.ts'
import type { PageLabel } from './table.ts'

const CALLERS = [1, 16, 64]

/** Times requests for the records of a case, after comparing the responses. */
export async function measurePages(
  pages: Pages,
  load: Load,
  { id, name, questions }: Case,
  rounds: Rounds,
): Promise<readonly TimedCase<PageLabel>[]> {
  const { served, postgraphile } = pages
  const requests = await checkedRequests(pages, questions)
  const nameOf = (label: PageLabel) => `${id} ${name} ${label}`
  const labels: PageLabel[] = ['graphql', 'rest']
  await load.forget()
  await load.prepare(nameOf('graphql'), served.address, requests.graphql)
  await load.prepare(nameOf('rest'), served.address, requests.rest)
  if (postgraphile !== undefined) {
    const { servers } = postgraphile
    labels.push('postgraphile', 'wide')
    await load.prepare(nameOf('postgraphile'), servers.postgraphile.address, requests.postgraphile)
    await load.prepareLike(nameOf('wide'), servers.wide.address, nameOf('postgraphile'))
  }
  const cases: TimedCase<PageLabel>[] = []
  for (const connections of CALLERS) {
    const implementations = labels.map((label) => overHttp(load, label, nameOf(label), connections))
    cases.push(await measure({ id, name, distinct: questions.length, connections }, implementations, rounds))
  }
  return cases
}
