import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { ingestInto } from '../support/build-lake.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import {
  contentOf,
  type Documented,
  type DocumentedOperation,
  exampleAddress,
  operationsIn,
  responseIn,
  routesIn,
} from '../support/documented.ts'
import { readExact } from '../support/exact-json.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { gatedServer } from '../support/gated-server.ts'
import { dayBefore, hotspot, iotShare, makeLake, mobileShare } from '../support/make-lake.ts'
import { readRounded, type SchemaCheck, schemaCheckOf } from '../support/schema-check.ts'
import { makeFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** Copied by hand from the specification, "Endpoints". */
const specified = [
  ['get-makers', '/v1/net/l2/makers'],
  ['get-maker', '/v1/net/l2/makers/{id}'],
  ['get-hotspots', '/v1/net/l2/hotspots'],
  ['get-hotspot', '/v1/net/l2/hotspots/{id}'],
  ['get-iot-rewards', '/v1/net/l2/iot-reward-shares'],
  ['get-iot-reward-totals', '/v1/net/l2/iot-reward-shares/totals'],
  ['get-mobile-rewards', '/v1/net/l2/mobile-reward-shares'],
  ['get-mobile-reward-totals', '/v1/net/l2/mobile-reward-shares/totals'],
  ['get-l1-accounts', '/v1/net/l1/accounts'],
  ['get-l1-account', '/v1/net/l1/accounts/{id}'],
  ['get-l1-transactions', '/v1/net/l1/transactions'],
  ['get-l1-transaction', '/v1/net/l1/transactions/{id}'],
  ['get-l1-transaction-actors', '/v1/net/l1/transaction-actors'],
  ['get-l1-dc-burns', '/v1/net/l1/dc-burns'],
  ['get-l1-gateways', '/v1/net/l1/gateways'],
  ['get-l1-gateway', '/v1/net/l1/gateways/{id}'],
  ['get-l1-packets', '/v1/net/l1/packets'],
  ['get-l1-rewards', '/v1/net/l1/rewards'],
] as const

const lists: readonly string[] = specified
  .filter(([id]) => id.endsWith('s') && !id.endsWith('totals'))
  .map(([, path]) => path)

/** Addresses that are pages for people and the documents themselves. */
const pages = ['/', '/docs', '/openapi.json', '/llms.txt']

const written = readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')

let folder: { readonly folder: string; readonly remove: () => Promise<void> }
let server: TestServer
let text: string
let document: Documented
/** The same with every digit. */
let exact: Documented
let check: SchemaCheck

const get = (url: string) => server.server.inject({ method: 'GET', url })
const documentAt = async (at: TestServer) =>
  readRounded<Documented>((await at.server.inject('/openapi.json')).body)

function operation(path: string, method = 'get', within: Documented = document): DocumentedOperation {
  const found = within.paths[path]?.[method]
  if (found === undefined) throw new Error(`${method} ${path} is not documented`)
  return found
}

function faultsOf(value: unknown, path: string, status: string, method = 'get'): readonly string[] {
  const content = contentOf(document, operation(path, method), status)
  if (content === undefined) throw new Error(`${method} ${path} has no ${status} in JSON`)
  return check.faultsOf(content.schema, value)
}

/** Headers of ours that a reply has and its response does not tell. */
function undocumentedHeaders(
  headers: Readonly<Record<string, unknown>>,
  path: string,
  status: string,
): readonly string[] {
  const response = responseIn(document, operation(path), status)
  const told = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase())
  const ours = /^(ledgerlake-|ratelimit-|x-request-id|retry-after|www-authenticate)/
  return Object.keys(headers).filter((name) => ours.test(name) && !told.includes(name))
}

beforeAll(async () => {
  folder = await makeFolder()
  await ingestInto(folder.folder, [smallNetwork])
  server = await buildTestServer(folder.folder)
  text = (await get('/openapi.json')).body
  document = readRounded<Documented>(text)
  exact = readExact<Documented>(text)
  check = schemaCheckOf(document)
})

afterAll(async () => {
  await server.close()
  await folder.remove()
})

describe('the document', () => {
  it.each([
    ['as it is served', () => text],
    ['as it is written', () => written],
  ])('%s is OpenAPI 3.1 by the official schema', async (_which, textOf) => {
    const validator = new Validator()
    expect(await validator.validate(readRounded(textOf()))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has the operations of the specification under their addresses, and no other operation has an id', () => {
    const found = operationsIn(document).flatMap(({ path, operation: { operationId } }) =>
      operationId === undefined ? [] : [[operationId, path]],
    )
    expect(found.sort()).toEqual([...specified].sort())
  })

  it('has every route of the server, and the server has every documented one', async () => {
    await server.server.ready()
    const served = routesIn(server.server.printRoutes({ commonPrefix: false }))
    const documented = operationsIn(document).map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    expect([...served].sort()).toEqual([...documented, ...pages.map((path) => `GET ${path}`)].sort())
  })

  it('says which features an operation needs where there are keys', () => {
    const needed = operationsIn(document).flatMap(({ path, operation: { responses } }) =>
      '403' in responses ? [path] : [],
    )
    const paths = specified.map(([, path]) => path)
    expect(needed.sort()).toEqual(
      paths.filter((path) => path.includes('/l1/') || path.endsWith('/totals')).sort(),
    )
  })

  it('tells limits and defaults of pages, and what is required', () => {
    const { parameters = [] } = operation('/v1/net/l2/mobile-reward-shares')
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
    expect(schemas.page).toMatchObject({ type: 'integer', minimum: 1, default: 1 })
    expect(schemas.per_page).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 25 })
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(['from', 'to'])
  })

  it('keeps every digit of its examples', () => {
    expect(text).toMatch(/"location":6[0-9]{17}[,}]/)
    const { parameters = [] } = operation('/v1/net/l2/hotspots', 'get', exact)
    const example = parameters.find(({ name }) => name === 'iot_location')?.example
    expect(typeof example).toBe('bigint')
    expect(text).toContain(`"location":${example}`)
  })

  it('shows the form of replies without a lake, and every example in it is one that its schema accepts', () => {
    const own = readRounded<Documented>(written)
    const ofOwn = schemaCheckOf(own)
    const examples = operationsIn(own).flatMap(({ path, operation }) =>
      Object.keys(operation.responses).flatMap((status) => {
        const { schema = {}, examples = {} } = contentOf(own, operation, status) ?? {}
        return Object.values(examples).map(({ value }) => [path, status, ofOwn.faultsOf(schema, value)])
      }),
    )
    expect(examples.length).toBeGreaterThan(150)
    expect(examples.filter(([, , faults]) => faults?.length !== 0)).toEqual([])
  })
})

describe('every documented operation', () => {
  it.each([
    ...specified.map(([, path]): string => path),
    '/graphql',
    '/graphql/iot-reward-shares',
    '/graphql/mobile-reward-shares',
    '/healthz',
    '/readyz',
  ])('GET %s answers its example as documented', async (path) => {
    const { statusCode, body } = await get(exampleAddress(path, operation(path, 'get', exact)))
    expect([statusCode, body.slice(0, statusCode === 200 ? 0 : 500)]).toEqual([200, ''])
    expect(faultsOf(readRounded(body), path, '200')).toEqual([])
  })

  it.each(specified)('%s documents the very reply to its example', async (_id, path) => {
    const asked = operation(path, 'get', exact)
    const { body } = await get(exampleAddress(path, asked))
    const { examples } = contentOf(exact, asked, '200') ?? {}
    expect(readExact(body)).toEqual(examples?.reply?.value)
  })

  it.each(lists)('%s finds the first record of the list by the examples of its filters', async (path) => {
    const range = path.includes('reward-shares') ? 'from=2000-01-01&to=2100-01-01&' : ''
    const first = readExact<Page>((await get(`${path}?${range}per_page=1`)).body)
    const found = readExact<Page>((await get(exampleAddress(path, operation(path, 'get', exact)))).body)
    expect(recordsOf(found)).toEqual(recordsOf(first))
  })

  it('POST /graphql answers its example as documented', async () => {
    const { requestBody } = operation('/graphql', 'post')
    const payload = requestBody?.content['application/json']?.examples?.query?.value as object
    const { statusCode, body } = await server.server.inject({ method: 'POST', url: '/graphql', payload })
    expect([statusCode, body]).toEqual([200, '{"data":{"status":"ok"}}'])
    expect(faultsOf(readRounded(body), '/graphql', '200', 'post')).toEqual([])
  })
})

interface Page {
  readonly meta: { readonly next_page: number | null }
  readonly records?: readonly object[]
  readonly objects?: readonly object[]
}

const recordsOf = ({ records, objects }: Page) => records ?? objects ?? []

/** A page of what a list has, as a validator reads it. */
async function pageOf(path: string, query: string): Promise<Page> {
  const range = path.includes('reward-shares') ? 'from=2000-01-01&to=2100-01-01&' : ''
  return readRounded<Page>((await get(`${path}?${range}${query}`)).body)
}

describe('the schemas of lists', () => {
  it.each(lists)('%s accept every record on every page', async (path) => {
    let records = 0
    for (let number: number | null = 1; number !== null; ) {
      const page: Page = await pageOf(path, `per_page=100&page=${number}`)
      expect(faultsOf(page, path, '200')).toEqual([])
      records += recordsOf(page).length
      number = page.meta.next_page
    }
    expect(records).toBeGreaterThan(1)
  })

  it.each(lists)('%s accept a page past the end', async (path) => {
    const page = await pageOf(path, 'page=90000')
    expect([recordsOf(page), faultsOf(page, path, '200')]).toEqual([[], []])
  })

  it('accept shares of every type whose manifest is unknown, and numbers that have no name yet', async () => {
    const mobile = [
      { reward_type: 'radio_reward', hotspot_key: hotspot(1).raw },
      { reward_type: 'gateway_reward', hotspot_key: hotspot(1).raw },
      { reward_type: 'subscriber_reward', subscriber_id: hotspot(2).raw },
      { reward_type: 'service_provider_reward', service_provider_id: '12' },
      { reward_type: 'unallocated_reward', unallocated_reward_type: '12' },
      { reward_type: 'radio_reward_v2', hotspot_key: hotspot(1).raw, sp_boosted_hex_status: '12' },
      { reward_type: 'promotion_reward', entity: 'x' },
    ] as const
    const lake = await makeLake({
      'mobile/mobile_reward_share.1.gz': mobile.map((share) =>
        mobileShare({ ...dayBefore('2025-01-29'), ...share }),
      ),
      'iot/iot_reward_share.1.gz': [
        iotShare({ ...dayBefore('2025-01-29'), reward_type: 'operational_reward', amount: 2n ** 64n - 1n }),
      ],
    })
    onTestFinished(lake.remove)
    const other = await buildTestServer(lake.folder)
    onTestFinished(other.close)
    for (const [path, count] of [
      ['mobile', 7],
      ['iot', 1],
    ] as const) {
      const { text: page } = await other.get(`/l2/${path}-reward-shares?from=2000-01-01&to=2100-01-01`)
      expect(recordsOf(readRounded<Page>(page))).toHaveLength(count)
      expect(faultsOf(readRounded(page), `/v1/net/l2/${path}-reward-shares`, '200')).toEqual([])
    }
  })
})

type Broken = (record: Record<string, unknown>) => Record<string, unknown>

const without =
  (name: string): Broken =>
  ({ [name]: _, ...others }) =>
    others
const withValue =
  (name: string, value: unknown): Broken =>
  (record) => ({ ...record, [name]: value })
const inside =
  (name: string, change: Broken): Broken =>
  (record) => ({ ...record, [name]: change(record[name] as Record<string, unknown>) })

const everyMember = [
  ['a member that is missing', without('id')],
  ['a member that is not documented', withValue('extra', 1)],
  ['an id that is no UUID', withValue('id', '12')],
] as const

describe('a wrong reply is refused:', () => {
  it.each(lists.flatMap((path) => everyMember.map(([what, change]) => [what, path, change] as const)))(
    '%s in %s',
    async (_what, path, change) => {
      const page = await pageOf(path, 'per_page=1')
      const [name = ''] = Object.keys(page).filter((member) => member !== 'meta')
      const records = recordsOf(page).map((record) => change(record as Record<string, unknown>))
      expect(faultsOf(page, path, '200')).toEqual([])
      expect(faultsOf({ ...page, [name]: records }, path, '200')).not.toEqual([])
    },
  )

  const gateway = '/v1/net/l2/iot-reward-shares'
  const radio = '/v1/net/l2/mobile-reward-shares'
  const hotspots = '/v1/net/l2/hotspots'
  it.each<[string, string, Broken]>([
    ['an amount as text', gateway, inside('reward_detail', withValue('beacon_amount', '1'))],
    ['a negative amount', gateway, inside('reward_detail', withValue('beacon_amount', -1))],
    ['a broken amount', gateway, inside('reward_detail', withValue('beacon_amount', 0.5))],
    ['a key that is null', gateway, inside('reward_detail', withValue('hotspot_key', null))],
    ['a detail without its key', gateway, inside('reward_detail', without('hotspot_key'))],
    [
      'a formatted amount without a point',
      gateway,
      inside('reward_detail', withValue('formatted_beacon_amount', '1')),
    ],
    ['the detail of another type', gateway, withValue('reward_type', 'operational_reward')],
    ['a type that does not exist', gateway, withValue('reward_type', '12')],
    ['a time that is none', gateway, withValue('end_period', '2026-07-01 00:00:00 UTC')],
    ['a manifest that lacks its price', gateway, inside('reward_manifest', without('price'))],
    [
      'a token that does not exist',
      gateway,
      inside('reward_manifest', inside('reward_detail', withValue('token', 'x'))),
    ],
    ['the detail of the other network', radio, withValue('reward_type', 'promotion_reward')],
    ['broken bytes', radio, inside('reward_detail', withValue('offloaded_bytes', 0.5))],
    ['a cell as text', hotspots, inside('iot_info', withValue('location', '631280284262249471'))],
    ['a network that does not exist', hotspots, withValue('networks', ['wifi'])],
    ['an info that is null', hotspots, withValue('mobile_info', null)],
    ['a device that does not exist', hotspots, inside('mobile_info', withValue('device_type', 'x'))],
  ])('%s', async (_what, path, change) => {
    const page = await pageOf(path, 'per_page=1')
    const [record] = recordsOf(page) as Record<string, unknown>[]
    expect(faultsOf({ ...page, records: [record] }, path, '200')).toEqual([])
    expect(faultsOf({ ...page, records: [change(record ?? {})] }, path, '200')).not.toEqual([])
  })

  it.each<[string, Broken]>([
    ['a page before the first', withValue('prev_page', 0)],
    ['a next page that is the first', withValue('next_page', 1)],
    ['no page at all', withValue('total_pages', 0)],
    ['a count of more than a page', withValue('count', 101)],
    ['a list without its next page', without('next_page')],
  ])('%s', async (_what, change) => {
    const page = await pageOf(hotspots, 'per_page=1')
    const meta = change(page.meta as unknown as Record<string, unknown>)
    expect(faultsOf({ ...page, meta }, hotspots, '200')).not.toEqual([])
  })

  it.each([
    [
      'a list under another name',
      { meta: { count: 0, total_pages: 1, current_page: 1, next_page: null, prev_page: null }, objects: [] },
    ],
    ['a bare list', []],
  ])('%s', (_what, reply) => {
    expect(faultsOf(reply, hotspots, '200')).not.toEqual([])
  })

  it('a total that is negative, null, missing or more than documented', async () => {
    const path = '/v1/net/l2/iot-reward-shares/totals'
    const sums = readRounded((await get(exampleAddress(path, operation(path)))).body)
    expect(faultsOf(sums, path, '200')).toEqual([])
    for (const change of [
      withValue('total_amount', -1),
      withValue('total_amount', null),
      without('total_amount'),
      withValue('total', 1),
    ])
      expect(faultsOf(change(sums), path, '200')).not.toEqual([])
  })
})

describe('an error reply is as documented:', () => {
  const share = '/v1/net/l2/iot-reward-shares'
  it.each([
    ['a maker that nobody has', '/v1/net/l2/makers/x', '/v1/net/l2/makers/{id}', 404],
    ['a transaction that nobody has', '/v1/net/l1/transactions/x', '/v1/net/l1/transactions/{id}', 404],
    ['a range that is missing', share, share, 422],
    ['a page that is too large', '/v1/net/l1/packets?per_page=500', '/v1/net/l1/packets', 422],
    ['a parameter of no lookup', '/v1/net/l2/makers/x?page=1', '/v1/net/l2/makers/{id}', 422],
    ['page on totals', `${share}/totals?page=1`, `${share}/totals`, 422],
    ['a snapshot that never was', '/v1/net/l2/makers?as_of=9', '/v1/net/l2/makers', 422],
    ['a query that is none', '/graphql?query=x', '/graphql', 400],
  ])('%s', async (_what, url, path, status) => {
    const { statusCode, body } = await get(url)
    expect([statusCode, faultsOf(readRounded(body), path, String(status))]).toEqual([status, []])
  })

  it.each([
    ['an operation that does not exist', 'GET', '/v1/net/l3/nothing', 404],
    ['an operation asked with another method', 'DELETE', share, 405],
  ] as const)('%s', async (_what, method, url, status) => {
    const { statusCode, body } = await server.server.inject({ method, url })
    expect(statusCode).toBe(status)
    expect(check.faultsOf(document.components.schemas.Error ?? {}, readRounded(body))).toEqual([])
  })

  it('a lake that is empty', async () => {
    const empty = await buildTestServer(await temporaryFolder())
    onTestFinished(empty.close)
    for (const path of ['/v1/net/l2/makers', '/readyz']) {
      const { statusCode, body } = await empty.server.inject(path)
      expect([statusCode, faultsOf(readRounded(body), path, '503')]).toEqual([503, []])
    }
  })

  it.each([
    [401, {}, undefined],
    [402, { quotaPer30Days: 1 }, '/v1/net/l2/makers'],
    [403, { features: [] }, undefined],
    [429, { ratePerMinute: 1 }, '/v1/net/l2/makers'],
  ] as const)('a key that is refused with %s, headers included', async (status, terms, first) => {
    const path = '/v1/net/l1/accounts'
    const { ask, newKey } = await gatedServer(folder.folder)
    const key = status === 401 ? undefined : await newKey(terms)
    if (first !== undefined) expect((await ask(first, key)).status).toBe(200)
    const reply = await ask(path, key)
    expect([reply.status, faultsOf(readRounded(reply.text), path, String(status))]).toEqual([status, []])
    expect(undocumentedHeaders(reply.headers, path, String(status))).toEqual([])
  })

  it('and so are the headers of an answer to a key with limits', async () => {
    const path = '/v1/net/l2/iot-reward-shares'
    const { ask, newKey } = await gatedServer(folder.folder)
    const key = await newKey({ quotaPer30Days: 5, ratePerMinute: 5, lookbackDays: 1 })
    const { status, headers } = await ask(`${path}?from=2025-01-01&to=2100-01-01`, key)
    expect(status).toBe(200)
    expect(headers).toHaveProperty('ledgerlake-from')
    expect(headers).toHaveProperty('ratelimit-reset')
    expect(undocumentedHeaders(headers, path, '200')).toEqual([])
  })

  it.each<[string, object]>([
    ['without a code', { error: 'x' }],
    ['with a code that does not exist', { error: 'x', code: 'y' }],
    ['with more than documented', { error: 'x', code: 'internal', stack: 'z' }],
    [
      'with a fault that names no parameter',
      { error: 'x', code: 'malformed_request', errors: [{ message: 'z' }] },
    ],
  ])('and one %s is refused', (_what, body) => {
    expect(check.faultsOf(document.components.schemas.Error ?? {}, body)).not.toEqual([])
  })
})

describe('the examples', () => {
  it('are looked up once for a snapshot', async () => {
    let statements = 0
    const counting = (engine: Engine): Engine => ({
      ...engine,
      rows: (...asked) => {
        statements += 1
        return engine.rows(...asked)
      },
    })
    const other = await buildTestServer(folder.folder, 60_000, counting)
    onTestFinished(other.close)
    const first = await documentAt(other)
    const before = statements
    expect(before).toBeGreaterThan(0)
    expect(await documentAt(other)).toEqual(first)
    expect(statements).toBe(before)
  })

  it('are those of the newest snapshot', async () => {
    const lake = await temporaryFolder()
    const other = await buildTestServer(lake, 10)
    onTestFinished(other.close)
    const exampleId = async () => {
      const { parameters = [] } = operation('/v1/net/l2/makers/{id}', 'get', await documentAt(other))
      return parameters.find(({ name }) => name === 'id')?.example
    }
    expect(await exampleId()).toBe('00000000-0000-8000-8000-000000000000')
    await ingestInto(lake, [`${smallNetwork}/l2`])
    const makers = readRounded<{ objects: { id: string }[] }>(
      (await get('/v1/net/l2/makers?per_page=1')).body,
    )
    await vi.waitFor(async () => expect(await exampleId()).toBe(makers.objects[0]?.id), 5_000)
  })
})
