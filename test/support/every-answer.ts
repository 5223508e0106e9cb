import type { Resource, RestFace } from '../../src/catalog/resource.ts'
import { resources } from '../../src/catalog/resources.ts'
import { askGraphql, connectionOf } from './ask-graphql.ts'
import type { TestServer } from './build-test-server.ts'
import { readExact } from './exact-json.ts'

/** All that the made-up networks of the tests hold. */
const always = { from: '2019-01-01', to: '2027-01-01' }
const lookedUp = 1

type Answers = Record<string, string>
type ListBody = Readonly<Record<string, readonly { readonly id?: string }[]>> & {
  readonly meta: { readonly next_page: bigint | null }
}

/**
 * The raw bytes of every page of every list, of totals, lookups and every step through the lists of GraphQL, by what was
 * asked. `asOf` asks an older snapshot.
 */
export async function everyAnswer(server: TestServer, asOf?: string): Promise<Readonly<Answers>> {
  const answers: Answers = {}
  for (const resource of resources) {
    if (resource.rest !== undefined) await walkRest(server, resource, resource.rest, asOf, answers)
  }
  for (const call of ['iotRewardShares', 'mobileRewardShares'])
    await walkGraphql(server, call, `startPeriod: "${always.from}", endPeriod: "${always.to}"`, asOf, answers)
  await walkGraphql(server, 'iotWitnessIngestReports', '', asOf, answers)
  const timestamps = `startTimestamp: "${always.from}", endTimestamp: "${always.to}"`
  await walkGraphql(server, 'rewardManifests', timestamps, asOf, answers)
  return answers
}

async function walkRest(
  server: TestServer,
  { filters = {} }: Resource,
  { path, envelope, totals, find }: RestFace,
  asOf: string | undefined,
  answers: Answers,
): Promise<void> {
  const range = filters.from?.required ? always : {}
  async function ask(address: string, params: Readonly<Record<string, string>>): Promise<string> {
    const query = { ...params, ...(asOf !== undefined && { as_of: asOf }) }
    const { status, text } = await server.get(`${address}?${new URLSearchParams(query)}`)
    if (status !== 200) throw new Error(`${address}: ${status} ${text}`)
    answers[`${address}?${new URLSearchParams(params)}`] = text
    return text
  }
  for (let page: bigint | null = 1n; page !== null; ) {
    const body: ListBody = readExact(await ask(path, { ...range, page: String(page), per_page: '100' }))
    if (find !== undefined)
      for (const { id } of body[envelope]?.slice(0, lookedUp) ?? []) await ask(`${path}/${id}`, {})
    page = body.meta.next_page
  }
  if (totals !== undefined) await ask(`${path}/totals`, range)
}

async function walkGraphql(
  server: TestServer,
  call: string,
  given: string,
  asOf: string | undefined,
  answers: Answers,
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
