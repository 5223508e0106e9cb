import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { specified } from '../../src/server/dialect/dialect.ts'
import { relay } from '../../src/server/dialect/relay.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import { copySmallLake } from '../support/small-lake.ts'
import { makeFolder } from '../support/temporary-folder.ts'

let served: TestServer
let hosted: TestServer
let remove = async () => {}

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  await copySmallLake(made.folder)
  served = await buildTestServer(made.folder, 60_000, undefined, { dialect: specified })
  hosted = await buildTestServer(made.folder, 60_000, undefined, { dialect: relay })
})
afterAll(async () => {
  await served.close()
  await hosted.close()
  await remove()
})

const misspelled = [
  ['/l1/rewards', 'poc_witnesses', 'poc_witness'],
  ['/l1/rewards', 'POC_WITNESS', 'poc_witness'],
  ['/l1/transactions', 'payment', 'payment_v1'],
  ['/l1/transactions', 'rewards_v9', 'rewards_v1'],
  ['/l1/dc-burns', 'fees', 'fee'],
] as const

describe('a type of the ledger', () => {
  it.each(misspelled)(
    'of %s that is written %s is refused, and %s suggested, before anything is read',
    async (path, type, meant) => {
      const before = served.engine.work()
      const { status, text } = await served.get(`${path}?type=${type}`)
      const { code, errors } = JSON.parse(text) as {
        code: string
        errors: { param: string; message: string }[]
      }
      expect([status, code, errors.map(({ param }) => param)]).toEqual([422, 'malformed_request', ['type']])
      expect(errors[0]?.message).toMatch(
        new RegExp(`^type is "${type}", which no record has; did you mean ${meant}\\?$`),
      )
      expect(served.engine.work()).toEqual(before)
    },
  )

  it.each(misspelled)('of %s that is written %s finds nothing under --compat relay', async (path, type) => {
    const { status, text } = await hosted.get(`${path}?type=${type}`)
    expect([status, JSON.parse(text).records]).toEqual([200, []])
  })

  it.each(['subnetwork_fund_v1', '1nobody'])(
    'that no record has finds nothing where it is known or like none: %s',
    async (type) => {
      const { status, text } = await served.get(`/l1/transactions?type=${type}`)
      expect([status, JSON.parse(text).objects]).toEqual([200, []])
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
