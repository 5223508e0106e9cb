import { beforeAll, describe, expect, it } from 'vitest'
import { readRounded } from '../support/schema-check.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { exampleAddress, responseIn } from '../support/servers/documented.ts'
import {
  type DocumentedServer,
  filled,
  openDocumentedServer,
  operationOf,
  recordsOf,
} from '../support/servers/documented-server.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let served: DocumentedServer

beforeAll(async () => {
  served = await openDocumentedServer()
})

/** Our headers of a reply that its documented response lacks. */
function undocumentedHeaders(
  headers: Readonly<Record<string, unknown>>,
  path: string,
  status: string,
): readonly string[] {
  const response = responseIn(served.document, operationOf(served.document, path), status)
  const documented = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase())
  const ours = /^(ledgerlake-|ratelimit-|x-request-id|retry-after|www-authenticate)/
  return Object.keys(headers).filter((name) => ours.test(name) && !documented.includes(name))
}

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
  it.each(filled.flatMap((path) => everyMember.map(([what, change]) => [what, path, change] as const)))(
    '%s in %s',
    async (_what, path, change) => {
      const page = await served.pageOf(path, 'per_page=1')
      const [name = ''] = Object.keys(page).filter((member) => member !== 'meta')
      const records = recordsOf(page).map((record) => change(record as Record<string, unknown>))
      expect(served.faultsOf(page, path, '200')).toEqual([])
      expect(served.faultsOf({ ...page, [name]: records }, path, '200')).not.toEqual([])
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
    ['a network that does not exist', hotspots, withValue('networks', ['smoke'])],
    ['an info that is null', hotspots, withValue('mobile_info', null)],
    ['a device that does not exist', hotspots, inside('mobile_info', withValue('device_type', 'x'))],
  ])('%s', async (_what, path, change) => {
    const page = await served.pageOf(path, 'per_page=1')
    const [record] = recordsOf(page) as Record<string, unknown>[]
    expect(served.faultsOf({ ...page, records: [record] }, path, '200')).toEqual([])
    expect(served.faultsOf({ ...page, records: [change(record ?? {})] }, path, '200')).not.toEqual([])
  })

  it.each<[string, Broken]>([
    ['a page before the first', withValue('prev_page', 0)],
    ['a next page that is the first', withValue('next_page', 1)],
    ['no page at all', withValue('total_pages', 0)],
    ['a count of more than a page', withValue('count', 101)],
    ['a list without its next page', without('next_page')],
  ])('%s', async (_what, change) => {
    const page = await served.pageOf(hotspots, 'per_page=1')
    const meta = change(page.meta as unknown as Record<string, unknown>)
    expect(served.faultsOf({ ...page, meta }, hotspots, '200')).not.toEqual([])
  })

  it.each([
    [
      'a list under another name',
      { meta: { count: 0, total_pages: 1, current_page: 1, next_page: null, prev_page: null }, objects: [] },
    ],
    ['a bare list', []],
  ])('%s', (_what, reply) => {
    expect(served.faultsOf(reply, hotspots, '200')).not.toEqual([])
  })

  it('a total that is negative, null, missing or more than documented', async () => {
    const path = '/v1/net/l2/iot-reward-shares/totals'
    const sums = readRounded(
      (await served.get(exampleAddress(path, operationOf(served.document, path)))).body,
    )
    expect(served.faultsOf(sums, path, '200')).toEqual([])
    for (const change of [
      withValue('total_amount', -1),
      withValue('total_amount', null),
      without('total_amount'),
      withValue('total', 1),
    ])
      expect(served.faultsOf(change(sums), path, '200')).not.toEqual([])
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
    ['a query that is blank', '/graphql?query=', '/graphql', 400],
    ['a query that is none', '/graphql?query=x', '/graphql', 200],
    ['a negative number of nodes', '/graphql/iot-reward-shares?last=-1', '/graphql/iot-reward-shares', 400],
  ])('%s', async (_what, url, path, status) => {
    const { statusCode, body } = await served.get(url)
    expect([statusCode, served.faultsOf(readRounded(body), path, String(status))]).toEqual([status, []])
  })

  it.each([
    ['an operation that does not exist', 'GET', '/v1/net/l3/nothing', 404],
    ['an operation asked with another method', 'DELETE', share, 405],
  ] as const)('%s', async (_what, method, url, status) => {
    const { statusCode, body } = await served.server.server.inject({ method, url })
    expect(statusCode).toBe(status)
    expect(
      served.check.faultsOf(served.document.components.schemas.ErrorReply ?? {}, readRounded(body)),
    ).toEqual([])
  })

  it('a lake that is empty', async () => {
    const empty = await buildTestServer(await temporaryFolder())
    for (const path of ['/v1/net/l2/makers', '/readyz']) {
      const { statusCode, body } = await empty.server.inject(path)
      expect([statusCode, served.faultsOf(readRounded(body), path, '503')]).toEqual([503, []])
    }
  })

  it.each([
    [401, {}, undefined],
    [402, { quotaPer30Days: 1 }, '/v1/net/l2/makers'],
    [403, { features: [] }, undefined],
    [429, { ratePerMinute: 1 }, '/v1/net/l2/makers'],
  ] as const)('a key that is refused with %s, headers included', async (status, terms, first) => {
    const path = '/v1/net/l1/accounts'
    const { ask, newKey } = await gatedServer(served.folder)
    const key = status === 401 ? undefined : await newKey(terms)
    if (first !== undefined) expect((await ask(first, key)).status).toBe(200)
    const reply = await ask(path, key)
    expect([reply.status, served.faultsOf(readRounded(reply.text), path, String(status))]).toEqual([
      status,
      [],
    ])
    expect(undocumentedHeaders(reply.headers, path, String(status))).toEqual([])
  })

  it('the headers of a response to a key with limits', async () => {
    const path = '/v1/net/l2/iot-reward-shares'
    const { ask, newKey } = await gatedServer(served.folder)
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
    expect(served.check.faultsOf(served.document.components.schemas.ErrorReply ?? {}, body)).not.toEqual([])
  })
})
