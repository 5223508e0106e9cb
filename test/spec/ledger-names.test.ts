import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { specifiedDialect } from '../../src/doors/dialect/dialect.ts'
import { relay } from '../../src/doors/dialect/relay.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { makeFolder } from '../support/temporary-folder.ts'

let served: TestServer
let hosted: TestServer
let remove = async () => {}

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  await copySmallLake(made.folder)
  served = await buildTestServer(made.folder, 60_000, undefined, { dialect: specifiedDialect })
  hosted = await buildTestServer(made.folder, 60_000, undefined, { dialect: relay })
})
afterAll(async () => {
  await served.close()
  await hosted.close()
  await remove()
})

const misspelled = [
  ['/l1/rewards', 'type', 'poc_witnesses', 'poc_witness'],
  ['/l1/rewards', 'type', 'POC_WITNESS', 'poc_witness'],
  ['/l1/rewards', 'type', 'data_credits', 'dc_rewards'],
  ['/l1/rewards', 'type', 'consensus', 'consensus_rewards'],
  ['/l1/rewards', 'type', 'validators', 'consensus_rewards'],
  ['/l1/rewards', 'type', 'securities', 'securities_reward'],
  ['/l1/transactions', 'type', 'payment', 'payment_v2'],
  ['/l1/transactions', 'type', 'rewards_v9', 'rewards_v2'],
  ['/l1/transaction-actors', 'actor_role', 'payers', 'payer'],
  ['/l1/dc-burns', 'type', 'fees', 'fee'],
  ['/l1/dc-burns', 'type', 'data_transfer', 'state_channel'],
  ['/l1/gateways', 'mode', 'FULL', 'full'],
  ['/l1/gateways', 'mode', 'data_only', 'dataonly'],
] as const

interface Refused {
  readonly code: string
  readonly errors: readonly { readonly param: string; readonly message: string }[]
}

async function refusal(path: string) {
  const { status, text } = await served.get(path)
  const { code, errors = [] }: Partial<Refused> = JSON.parse(text)
  return { status, code, params: errors.map(({ param }) => param), message: errors[0]?.message }
}

describe('a type, role or mode of the ledger', () => {
  it.each(misspelled)(
    'of %s, %s=%s, returns 422 with the suggestion %s before anything is read',
    async (path, param, value, meant) => {
      const before = served.engine.work()
      const { status, code, params, message } = await refusal(`${path}?${param}=${value}`)
      expect([status, code, params]).toEqual([422, 'malformed_request', [param]])
      expect(message).toMatch(
        new RegExp(`^${param} is "${value}", which no record has; use one of .*; did you mean ${meant}\\?$`),
      )
      expect(served.engine.work()).toEqual(before)
    },
  )

  it.each(misspelled)(
    'of %s, %s=%s, returns an empty list under --compat relay',
    async (path, param, value) => {
      const { status, text } = await hosted.get(`${path}?${param}=${value}`)
      expect([status, JSON.parse(text).records]).toEqual([200, []])
    },
  )

  it.each(['subnetwork_fund_v1', '1nobody', 'constructor', '__proto__'])(
    'that resembles no existing one returns 422 with the existing ones: %s',
    async (type) => {
      const { status, message } = await refusal(`/l1/transactions?type=${type}`)
      expect(status).toBe(422)
      expect(message).toContain(`type is "${type}", which no record has; use one of `)
      expect(message).toContain(', payment_v2, ')
    },
  )

  it.each(['/l1/rewards', '/l1/transactions', '/l1/dc-burns'])(
    'of %s that a record has finds it',
    async (path) => {
      const { objects } = JSON.parse((await served.get(`${path}?per_page=100`)).text) as {
        objects: { type: string }[]
      }
      const types = new Set(objects.map(({ type }) => type))
      expect(types.size).toBeGreaterThan(0)
      for (const type of types) {
        const { status, text } = await served.get(`${path}?type=${type}`)
        expect([type, status, JSON.parse(text).meta.count > 0]).toEqual([type, 200, true])
      }
    },
  )
})
