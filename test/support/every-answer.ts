import { resources } from '../../src/catalog/resources.ts'
import { readExact } from './exact-json.ts'
import { type Answers, type Get, keepAnswers, pagesOf } from './pages.ts'
import { askGraphql, connectionOf } from './servers/ask-graphql.ts'
import type { TestServer } from './servers/build-test-server.ts'

/** All that the made-up networks of the tests hold. */
const always = { from: '2019-01-01', to: '2027-01-01' }
const lookedUp = 1

/**
 * The raw bytes of every page of every list, of totals, lookups and every step through the lists of GraphQL, by what was
 * asked. `asOf` asks an older snapshot.
 */
export async function everyAnswer(server: TestServer, asOf?: string): Promise<Answers> {
  const answers: Record<string, string> = {}
  const at = (path: string) => `${path}${path.endsWith('?') ? '' : '&'}as_of=${asOf}`
  const found = await everyRestAnswer((path) => server.get(asOf === undefined ? path : at(path)))
  for (const call of ['iotRewardShares', 'mobileRewardShares'])
    await walkGraphql(server, call, `startPeriod: "${always.from}", endPeriod: "${always.to}"`, asOf, answers)
  await walkGraphql(server, 'iotWitnessIngestReports', '', asOf, answers)
  const timestamps = `startTimestamp: "${always.from}", endTimestamp: "${always.to}"`
  await walkGraphql(server, 'rewardManifests', timestamps, asOf, answers)
  return { ...found, ...answers }
}

/** The same of REST alone. */
export async function everyRestAnswer(get: Get): Promise<Answers> {
  const { answers, ask } = keepAnswers(get)
  for (const { rest, filters = {} } of resources) {
    if (rest === undefined) continue
    const { path, envelope, totals, find } = rest
    const range = filters.from?.required ? always : {}
    for await (const text of pagesOf(ask, path, { ...range, page: '1', per_page: '100' })) {
      const { [envelope]: records = [] } =
        readExact<Record<string, readonly { readonly id?: string }[]>>(text)
      if (find !== undefined) for (const { id } of records.slice(0, lookedUp)) await ask(`${path}/${id}?`)
    }
    if (totals !== undefined) await ask(`${path}/totals?${new URLSearchParams(range)}`)
  }
  return answers
}

async function walkGraphql(
  server: TestServer,
  call: string,
  given: string,
  asOf: string | undefined,
  answers: Record<string, string>,
): Promise<void> {
  for (let after = ''; ; ) {
    const query = `{ list: ${call}(${given} first: 100, after: "${after}") {
      edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`
    const url = `/graphql${asOf === undefined ? '' : `?as_of=${asOf}`}`
    const reply = await askGraphql(server.server, query, {}, url)
    answers[query] = reply.text
    const { endCursor, hasNextPage } = connectionOf(reply, 'list').pageInfo
    if (!hasNextPage || endCursor === null) return
    after = endCursor
  }
}
