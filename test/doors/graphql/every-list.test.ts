import { beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../../src/catalog/resources.ts'
import { embedded, ofArrays } from '../../support/engines.ts'
import { readExact } from '../../support/exact-json.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { askConnection, askGraphql, type Connection } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { filledLists, specifiedLists } from '../../support/specified.ts'
import { scaled } from '../../support/tier.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Lists of REST and their fields of GraphQL; `flat` have nodes of another form, which other tests compare. */
const lists = filledLists.map(
  ({ path, query, totals }) => [path, query, totals === undefined ? 'same' : 'flat'] as const,
)

let lake = ''
const servers = new Map<string, TestServer>()
beforeAll(async () => {
  lake = await smallLake()
  servers.set('the embedded engine', await buildTestServer(lake, 60_000, embedded))
  servers.set('an engine of arrays', await buildTestServer(lake, 60_000, ofArrays))
})

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Members that are objects whose members differ from record to record. */
const unselected = ['fields', 'witnesses', 'maker']

/** The fields of GraphQL that have what a record of REST has. */
function fieldsOf(record: object): string {
  const fields = Object.entries(record).map(([name, value]) =>
    isPlain(value) && !unselected.includes(name) ? `${camel(name)} { ${fieldsOf(value)} }` : camel(name),
  )
  return fields.join(' ')
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A record with the names of GraphQL; integers of its own members are text there. */
function asNode(record: object): object {
  const members = Object.entries(record).map(([name, value]) => {
    if (unselected.includes(name)) return [camel(name), value]
    return [camel(name), isPlain(value) ? asNode(value) : typeof value === 'bigint' ? `${value}` : value]
  })
  return Object.fromEntries(members)
}

async function pageOf(test: TestServer, path: string, query = ''): Promise<Rows> {
  const range = path.includes('reward-shares') ? 'from=2000-01-01&to=2100-01-01&' : ''
  const { status, text } = await test.get(`${path}?${range}per_page=100${query}`)
  expect(status, text).toBe(200)
  const { records, objects } = readExact<{ records?: Rows; objects?: Rows }>(text)
  return records ?? objects ?? []
}

it('every list of REST has a field of GraphQL', () => {
  const listed = resources.flatMap(({ rest }) => (rest === undefined ? [] : [rest.path]))
  expect(listed.sort()).toEqual(specifiedLists.map(({ path }) => path).sort())
})

describe.each([
  ['the embedded engine', 1],
  ['an engine of arrays', scaled(3, 1)],
] as const)('with %s', (engine, step) => {
  const some = lists.filter((_, place) => place % step === 0)

  it.each(some)('%s and %s have the same rows in the same order', async (path, field, form) => {
    const test = servers.get(engine) as TestServer
    const records = await pageOf(test, path)
    expect(records.length).toBeGreaterThan(0)
    const [first = {}] = records
    const fields = form === 'flat' ? 'id' : fieldsOf(Object.assign({}, ...records.toReversed(), first))
    const { nodes } = await askConnection(test.server, `${field}(first: 100)`, fields)
    const expected = form === 'flat' ? records.map(({ id }) => ({ id })) : records.map(asNode)
    expect(nodes).toEqual(expected)
  })

  it.each(some)('%s as one page and %s by cursors return the same rows', async (path, field) => {
    const test = servers.get(engine) as TestServer
    const records = await pageOf(test, path)
    const ids: unknown[] = []
    for (let after: string | null = ''; after !== null && ids.length < records.length; ) {
      const { nodes, pageInfo }: Connection = await askConnection(
        test.server,
        `${field}(first: 7, after: "${after}")`,
        'id',
      )
      ids.push(...nodes.map(({ id }) => id))
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    }
    expect(ids.slice(0, records.length)).toEqual(records.map(({ id }) => id))
  })

  it.each([
    ['/l2/hotspots', 'hotspots', 'name'],
    ['/l2/hotspots', 'hotspots', 'owner'],
    ['/l1/rewards', 'l1Rewards', 'account_address'],
    ['/l1/rewards', 'l1Rewards', 'block'],
    ['/l1/transactions', 'l1Transactions', 'transaction_hash'],
    ['/l1/gateways', 'l1Gateways', 'owner_address'],
  ])('%s and %s return the same rows for a filter by %s', async (path, field, filter) => {
    const test = servers.get(engine) as TestServer
    const value = String((await pageOf(test, path)).find((record) => record[filter] !== null)?.[filter])
    const records = await pageOf(test, path, `&${filter}=${encodeURIComponent(value)}`)
    expect(records.length).toBeGreaterThan(0)
    const { nodes } = await askConnection(test.server, `${field}(${camel(filter)}: "${value}")`, 'id')
    expect(nodes).toEqual(records.map(({ id }) => ({ id })))
  })
})

it('a list over GraphQL needs the features that it needs over REST', async () => {
  const { test, newKey, ask } = await gatedServer(lake)
  expect((await askGraphql(test.server, '{ l1Accounts { nodes { id } } }')).status).toBe(401)
  const codeOf = async (field: string, features: readonly ('HotspotData' | 'OracleData')[]) => {
    const payload = JSON.stringify({ query: `{ ${field}(first: 1) { nodes { id } } }` })
    const headers = { 'content-type': 'application/json' }
    return (await ask('/graphql', await newKey({ features }), { method: 'POST', headers, payload })).code
  }
  expect(await codeOf('l1Accounts', ['OracleData'])).toBe('feature_not_available')
  expect(await codeOf('l1Accounts', ['HotspotData'])).toBe(undefined)
  expect(await codeOf('hotspots', [])).toBe(undefined)
})
