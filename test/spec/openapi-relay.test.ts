import { beforeAll, describe, expect, it } from 'vitest'
import { relay } from '../../src/doors/dialect/relay.ts'
import { readExact } from '../support/exact-json.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { readRounded, type SchemaCheck, schemaCheckOf } from '../support/schema-check.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import {
  contentOf,
  type Documented,
  type DocumentedOperation,
  exampleAddress,
  operationsIn,
} from '../support/servers/documented.ts'

/** The document of a server with `--compat relay` against the replies of that server. */

const prefix = '/v1/helium'
const lists = [
  ...['/l2/makers', '/l2/hotspots', '/l2/iot-reward-shares', '/l2/mobile-reward-shares'],
  ...['/l1/accounts', '/l1/transactions', '/l1/transaction-actors', '/l1/dc-burns', '/l1/gateways'],
  ...['/l1/packets', '/l1/rewards'],
]
const lookups = ['/l2/makers', '/l2/hotspots', '/l1/accounts', '/l1/transactions', '/l1/gateways']
const totals = [
  ...['/l2/iot-reward-shares', '/l2/mobile-reward-shares'].map((path) => `${path}/totals`),
  '/l2/mobile-reward-shares/daily-totals',
  '/l2/mobile-reward-shares/totals-by-service-provider',
]
const everything = 'from=2000-01-01&to=2100-01-01'

interface Page {
  readonly meta: { readonly pagination: { readonly next_page: number | null } }
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

let server: TestServer['server']
let exact: Documented
/** The same with plain numbers, for validators. */
let document: Documented
let check: SchemaCheck

beforeAll(async () => {
  const { spelling } = relay
  const options = { dialect: relay }
  server = (await buildTestServer(await smallLake(), 60_000, undefined, options, { spelling })).server
  const text = await textOf('/openapi.json')
  exact = readExact<Documented>(text)
  document = readRounded<Documented>(text)
  check = schemaCheckOf(document)
})

const textOf = async (path: string) => (await server.inject(path)).body

function operation(path: string, within = exact): DocumentedOperation {
  const found = within.paths[prefix + path]?.get
  if (found === undefined) throw new Error(`${path} is not documented`)
  return found
}

const faultsOf = (text: string, path: string, status: string) =>
  check.faultsOf(contentOf(document, operation(path, document), status)?.schema ?? {}, readRounded(text))

describe('the document of a relay server', () => {
  it.each(lists)('describes every page of %s', async (path) => {
    let records = 0
    for (let number: number | null = 1; number !== null; ) {
      const range = path.includes('reward-shares') ? `${everything}&` : ''
      const text = await textOf(`${prefix}${path}?${range}per_page=100&page=${number}`)
      expect(faultsOf(text, path, '200')).toEqual([])
      const page = readRounded<Page>(text)
      records += page.records.length
      number = page.meta.pagination.next_page
    }
    expect(records).toBeGreaterThan(1)
  })

  it.each([...lists, ...lookups.map((path) => `${path}/{id}`), ...totals])(
    'has the actual reply to the example of %s',
    async (path) => {
      const asked = operation(path)
      const reply = readExact(await textOf(exampleAddress(prefix + path, asked)))
      expect(contentOf(exact, asked, '200')?.examples?.reply?.value).toEqual(reply)
    },
  )

  it.each(totals.slice(2))('describes every record of %s', async (path) => {
    const text = await textOf(`${prefix}${path}?from=2025-01-01&to=2026-01-01`)
    expect(readRounded<Page>(text).records.length).toBeGreaterThan(0)
    expect(faultsOf(text, path, '200')).toEqual([])
  })

  it('describes its errors, and none of the specified form', async () => {
    const path = '/l2/iot-reward-shares'
    expect(faultsOf(await textOf(prefix + path), path, '422')).toEqual([])
    expect(faultsOf(await textOf(`${prefix}/l2/makers/x`), '/l2/makers/{id}', '404')).toEqual([])
    expect(faultsOf('{"error":"x","code":"malformed_request"}', path, '422')).not.toEqual([])
  })

  it('documents a missing feature under 401, as it answers', () => {
    const statuses = Object.keys(operation('/l1/accounts').responses)
    expect(statuses).not.toContain('403')
    expect(Object.keys(contentOf(exact, operation('/l1/accounts'), '401')?.examples ?? {}).sort()).toEqual([
      'authentication_required',
      'feature_not_available',
    ])
  })

  it('refuses a page, a date and a token as specified', async () => {
    const path = '/l2/iot-reward-shares'
    const text = await textOf(`${prefix}${path}?${everything}&per_page=1`)
    expect(faultsOf(text, path, '200')).toEqual([])
    for (const [hosted, specified] of [
      [/"end_period":"(\S+) (\S+) UTC"/, '"end_period":"$1T$2Z"'],
      [/"dc_bones_per_share":"[^"]*"/, '"dc_bones_per_share":1'],
      [/"token":"[^"]*"/, '"token":"iot_reward_token_main"'],
      [/"pagination":\{([^}]*)\}/, '$1'],
    ] as const) {
      expect(text).toMatch(hosted)
      expect(faultsOf(text.replace(hosted, specified), path, '200')).not.toEqual([])
    }
  })

  it('names the addresses of the hosted service, and mentions the others', () => {
    const paths = Object.keys(exact.paths).filter((path) => path.startsWith('/v1/'))
    expect(paths.filter((path) => !path.startsWith('/v1/helium/'))).toEqual([])
    expect(paths).toHaveLength(44)
    expect((exact as unknown as { info: { description: string } }).info.description).toContain(
      'The same is answered below `/v1/net`.',
    )
  })

  it('allows the dates that it writes, and any reward_type', () => {
    const schemaOf = (name: string) =>
      operation('/l2/iot-reward-shares').parameters?.find((one) => one.name === name)?.schema ?? {}
    expect('2026-07-01 00:00:00 UTC').toMatch(new RegExp(String(schemaOf('from').pattern)))
    expect(schemaOf('reward_type')).toMatchObject({
      anyOf: [{ enum: expect.any(Array) }, { type: 'string' }],
    })
  })

  it('is also shown as a reference page', async () => {
    expect(await textOf('/docs')).toContain(' UTC&quot;')
    expect(operationsIn(exact).length).toBeGreaterThan(18)
  })
})
