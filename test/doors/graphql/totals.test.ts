import { beforeAll, describe, expect, it } from 'vitest'
import { resources } from '../../../src/catalog/resources.ts'
import { readExact } from '../../support/exact-json.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { networks } from '../../support/specified.ts'

let lake = ''
let test: TestServer
beforeAll(async () => {
  lake = await smallLake()
  test = await buildTestServer(lake)
})

const paths = networks.map((id) => [`${id}RewardShareTotals`, `/l2/${id}-reward-shares/totals`] as const)

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

async function ask(query: string) {
  const reply = await test.server.inject({ method: 'POST', url: '/graphql', payload: { query } })
  return reply.json()
}

const range = ['from=2025-01-28&to=2025-02-01', 'from: "2025-01-28", to: "2025-02-01"'] as const

it('there is a totals field for every operation of REST that sums', () => {
  expect(resources.filter(({ rest }) => rest?.totals !== undefined)).toHaveLength(paths.length)
})

describe.each(paths)('%s', (field, path) => {
  it.each([
    ['a range', '', ''],
    ['a type', '&reward_type=gateway_reward', ', rewardType: "gateway_reward"'],
    ['a hotspot that nobody has', '&hotspot_key=nobody', ', hotspotKey: "nobody"'],
  ])('sums what REST sums, of %s', async (_, parameters, given) => {
    const { status, text } = await test.get(`${path}?${range[0]}${parameters}`)
    expect(status).toBe(200)
    const expected = readExact<Readonly<Record<string, bigint>>>(text)
    const names = Object.keys(expected)
    expect(names.length).toBeGreaterThan(3)
    const { data } = await ask(`{ ${field}(${range[1]}${given}) { ${names.map(camel).join(' ')} } }`)
    expect(data[field]).toEqual(Object.fromEntries(names.map((name) => [camel(name), `${expected[name]}`])))
    if (parameters === '') expect(Object.values(expected).some((sum) => sum > 0n)).toBe(true)
  })

  it('refuses what REST refuses, with the names of its arguments', async () => {
    const { errors } = await ask(`{ ${field}(${range[1]}, rewardType: "gateway_rewards") { __typename } }`)
    expect(errors[0].message).toContain('rewardType is "gateway_rewards"; use one of ')
  })
})

it('totals fields require the features of REST totals', async () => {
  const { ask: asked, newKey } = await gatedServer(lake)
  const payload = JSON.stringify({ query: `{ iotRewardShareTotals(${range[1]}) { totalAmount } }` })
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, payload } as const
  const { text } = await asked('/graphql', await newKey({ features: ['OracleData'] }), request)
  expect(text).toContain('feature_not_available')
  const allowed = await newKey({ features: ['OracleData', 'Aggregates'] })
  expect((await asked('/graphql', allowed, request)).text).toMatch(/"totalAmount":"\d+"/)
})
