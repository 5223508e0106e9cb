import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { aroundRows } from '../support/around-rows.ts'
import { readExact } from '../support/exact-json.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { dayBefore, hotspot, iotShare, makeLake, mobileShare } from '../support/lakes/make-lake.ts'
import { readRounded, schemaCheckOf } from '../support/schema-check.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import {
  contentOf,
  type Documented,
  exampleAddress,
  operationsIn,
  routesIn,
} from '../support/servers/documented.ts'
import {
  added,
  answered,
  type DocumentedServer,
  filled,
  lists,
  openDocumentedServer,
  operationOf,
  type Page,
  recordsOf,
  specified,
} from '../support/servers/documented-server.ts'
import { networks } from '../support/specified.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'
import { waitFor } from '../support/wait.ts'

/** Addresses that are pages for people and the documents themselves; `/guide/*` is printed without its slash. */
const explorer = [
  '/fleet',
  '/icon-192.png',
  '/icon-512.png',
  '/manifest.webmanifest',
  ...['account', 'gateway', 'hotspot', 'owner', 'transaction'].map((kind) => `/${kind}/{id}`),
]
const pages = [
  '/',
  ...explorer,
  '/docs',
  '/guide',
  '/guide*',
  '/openapi.json',
  '/openapi-3.0.json',
  '/llms.txt',
]
/** Its messages are described by the protocol. */
const tools = 'POST /mcp'

const written = readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')

const documentAt = async (at: TestServer) =>
  readRounded<Documented>((await at.server.inject('/openapi.json')).body)

let served: DocumentedServer

beforeAll(async () => {
  served = await openDocumentedServer()
})

describe('the document', () => {
  it.each([
    ['as it is served', () => served.text],
    ...scaled([], [['as it is written', () => written] as const]),
  ] as const)('%s is OpenAPI 3.1 by the official schema', async (_which, textOf) => {
    const validator = new Validator()
    expect(await validator.validate(readRounded(textOf()))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has an id for every operation, and the specified ids are at their specified addresses', () => {
    const found = operationsIn(served.document).map(({ path, operation }) => [operation.operationId, path])
    const others = [
      ['get-graphql', '/graphql'],
      ...networks.map((id) => [`get-graphql-${id}-reward-shares`, `/graphql/${id}-reward-shares`]),
      ['get-h3-cell', '/v1/net/h3-cells/{id}'],
      ['get-healthz', '/healthz'],
      ['get-metrics', '/metrics'],
      ['get-readyz', '/readyz'],
      ['get-search', '/v1/net/search'],
      ['get-earnings-file', '/v1/net/earnings'],
      ['get-statement', '/v1/net/statement'],
      ['get-statement-file', '/v1/net/statement/{id}'],
      ['get-sql', '/v1/net/sql'],
      ['get-status', '/v1/net/status'],
      ['get-up', '/up'],
      ['post-graphql', '/graphql'],
      ['post-earnings-file', '/v1/net/earnings'],
      ['post-sql', '/v1/net/sql'],
      ['post-statement', '/v1/net/statement'],
      ['post-statement-file', '/v1/net/statement/{id}'],
      ...lists.map((path) => [
        `${specified.find(([, own]) => own === path)?.[0]}-file`,
        path.replace('/v1/net/', '/v1/net/files/'),
      ]),
      ...added.map(([id, path]) => [`${id}-file`, path.replace('/v1/net/', '/v1/net/files/')]),
      ...networks.map((id) => [`post-${id}-reward-series`, `/v1/net/l2/${id}-reward-shares/totals/series`]),
    ]
    expect(found.sort()).toEqual([...specified, ...added, ...others].sort())
    expect(new Set(found.map(([id]) => id)).size).toBe(found.length)
  })

  it('has every route of the server, and the server has every documented one', async () => {
    await served.server.server.ready()
    const routes = routesIn(served.server.server.printRoutes({ commonPrefix: false }))
    const documented = operationsIn(served.document).map(
      ({ path, method }) => `${method.toUpperCase()} ${path}`,
    )
    expect([...routes].sort()).toEqual([...documented, tools, ...pages.map((path) => `GET ${path}`)].sort())
  })

  it('names the features of an operation if there are keys', () => {
    const needed = operationsIn(served.document).flatMap(({ path, operation: { responses } }) =>
      '403' in responses ? [path] : [],
    )
    const paths = [...specified, ...added].map(([, path]) => path)
    const statements = ['/v1/net/earnings', '/v1/net/sql', '/v1/net/statement', '/v1/net/statement/{id}']
    expect([...new Set(needed)].sort()).toEqual(
      [
        ...paths.filter((path) => path.includes('/l1/') || path.includes('/totals')),
        ...lists.filter((path) => path.includes('/l1/')).map((path) => path.replace('/l1/', '/files/l1/')),
        ...added.map(([, path]) => path.replace('/v1/net/', '/v1/net/files/')),
        ...statements,
      ].sort(),
    )
  })

  it('has limits and defaults of pages, and the required parameters', () => {
    const { parameters = [] } = operationOf(served.document, '/v1/net/l2/mobile-reward-shares')
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
    expect(schemas.page).toMatchObject({ type: 'integer', minimum: 1, default: 1 })
    expect(schemas.per_page).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 25 })
    // One of two pairs is required, which no document can say otherwise.
    expect(parameters.filter(({ required }) => required)).toEqual([])
    const [from, to] = ['from', 'to'].map((name) => parameters.find((one) => one.name === name)?.description)
    expect(from).toMatch(/ Required unless first_day and last_day are given\.$/)
    expect(to).toMatch(/ Required unless first_day and last_day are given\.$/)
  })

  it('keeps every digit of its examples', () => {
    expect(served.text).toMatch(/"location":6[0-9]{17}[,}]/)
    const { parameters = [] } = operationOf(served.exact, '/v1/net/l2/hotspots')
    const example = parameters.find(({ name }) => name === 'iot_location')?.example
    expect(typeof example).toBe('bigint')
    expect(served.text).toContain(`"location":${example}`)
  })

  it('has examples without a lake, and its schemas accept them', () => {
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
  // Of the lists and totals npm test asks a third: openapi-replies asks all.
  it.each([
    ...[...specified, ...added]
      .filter((_, place) => place % scaled(3, 1) === 0)
      .map(([, path]): string => path),
    '/graphql',
    ...networks.map((id) => `/graphql/${id}-reward-shares`),
    '/healthz',
    '/up',
    '/readyz',
  ])('GET %s answers its example as documented', async (path) => {
    const { statusCode, body } = await served.get(exampleAddress(path, operationOf(served.exact, path)))
    expect([statusCode, body.slice(0, statusCode === 200 ? 0 : 500)]).toEqual([200, ''])
    expect(served.faultsOf(readRounded(body), path, '200')).toEqual([])
  })

  it.each(answered)('%s documents the actual reply to its example', async (_id, path) => {
    const asked = operationOf(served.exact, path)
    const { body } = await served.get(exampleAddress(path, asked))
    const { examples } = contentOf(served.exact, asked, '200') ?? {}
    expect(readExact(body)).toEqual(examples?.reply?.value)
  })

  it.each(filled)('%s finds the first record of the list by the examples of its filters', async (path) => {
    const range = path.includes('reward-shares') ? 'from=2000-01-01&to=2100-01-01&' : ''
    const first = readExact<Page>((await served.get(`${path}?${range}per_page=1`)).body)
    const found = readExact<Page>(
      (await served.get(exampleAddress(path, operationOf(served.exact, path)))).body,
    )
    expect(recordsOf(found)).toEqual(recordsOf(first))
  })

  it('POST /graphql answers its example as documented', async () => {
    const { requestBody } = operationOf(served.document, '/graphql', 'post')
    const payload = requestBody?.content['application/json']?.examples?.query?.value as object
    const { statusCode, body } = await served.server.server.inject({
      method: 'POST',
      url: '/graphql',
      payload,
    })
    expect([statusCode, body]).toEqual([200, '{"data":{"status":"ok"}}'])
    expect(served.faultsOf(readRounded(body), '/graphql', '200', 'post')).toEqual([])
  })
})

describe('the schemas of lists', () => {
  it.each(filled)('%s accept every record on every page', async (path) => {
    let records = 0
    for (let number: number | null = 1; number !== null; ) {
      const page: Page = await served.pageOf(path, `per_page=100&page=${number}`)
      expect(served.faultsOf(page, path, '200')).toEqual([])
      records += recordsOf(page).length
      number = page.meta.next_page
    }
    expect(records).toBeGreaterThan(1)
  })

  it.each(lists)('%s accept a page past the end', async (path) => {
    const page = await served.pageOf(path, 'page=90000')
    expect([recordsOf(page), served.faultsOf(page, path, '200')]).toEqual([[], []])
  })

  it('accept shares of every type whose manifest is unknown, and enum numbers without a name', async () => {
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
    const other = await buildTestServer(lake.folder)
    for (const [path, count] of [
      ['mobile', 7],
      ['iot', 1],
    ] as const) {
      const { text: page } = await other.get(`/l2/${path}-reward-shares?from=2000-01-01&to=2100-01-01`)
      expect(recordsOf(readRounded<Page>(page))).toHaveLength(count)
      expect(served.faultsOf(readRounded(page), `/v1/net/l2/${path}-reward-shares`, '200')).toEqual([])
    }
  })
})

describe('the examples', () => {
  it('are looked up once for a snapshot', async () => {
    let statements = 0
    const counting = (engine: Engine) =>
      aroundRows(engine, (_, __, next) => {
        statements += 1
        return next()
      })
    const other = await buildTestServer(served.folder, 60_000, counting)
    const first = await documentAt(other)
    const before = statements
    expect(before).toBeGreaterThan(0)
    expect(await documentAt(other)).toEqual(first)
    expect(statements).toBe(before)
  })

  it('are read from the newest snapshot', async () => {
    const lake = await temporaryFolder()
    const other = await buildTestServer(lake, 100)
    const exampleId = async () => {
      const { parameters = [] } = operationOf(await documentAt(other), '/v1/net/l2/makers/{id}')
      return parameters.find(({ name }) => name === 'id')?.example
    }
    expect(await exampleId()).toBe('00000000-0000-8000-8000-000000000000')
    await ingestInto(lake, [`${smallNetwork}/l2`])
    const makers = readRounded<{ objects: { id: string }[] }>(
      (await served.get('/v1/net/l2/makers?per_page=1')).body,
    )
    const rows = async () => (await other.get('/l2/makers')).status
    await waitFor(async () => expect(await rows()).toBe(200))
    expect(await exampleId()).toBe(makers.objects[0]?.id)
  })
})
