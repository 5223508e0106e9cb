import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../support/exact-json.ts'
import { dayBefore, iotShare, makeLake } from '../support/lakes/make-lake.ts'
import { readRounded, type SchemaCheck, schemaCheckOf } from '../support/schema-check.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { contentOf, type Documented, exampleAddress, operationsIn } from '../support/servers/documented.ts'
import {
  answered,
  type DocumentedServer,
  filled,
  lists,
  openDocumentedServer,
  operationOf,
} from '../support/servers/documented-server.ts'
import { networks } from '../support/specified.ts'
import { scaled } from '../support/tier.ts'

/** 64-bit integers as generated clients read them, and the document with integers as strings. */

const everything = 'from=2000-01-01&to=2100-01-01'

let served: DocumentedServer
let texts: Documented
let check: SchemaCheck

beforeAll(async () => {
  served = await openDocumentedServer()
  texts = readRounded<Documented>((await served.get('/openapi.json?integers=string')).body)
  check = schemaCheckOf(texts)
})

const inTexts = (reply: unknown, path: string) =>
  check.faultsOf(contentOf(texts, operationOf(texts, path), '200')?.schema ?? {}, reply)

/** Every schema within a value, with its name. */
function schemasIn(value: unknown, name = ''): readonly (readonly [string, Record<string, unknown>])[] {
  if (typeof value !== 'object' || value === null) return []
  const own = value as Record<string, unknown>
  const within = Object.entries(own).flatMap(([key, member]) => schemasIn(member, key))
  return 'type' in own || 'enum' in own ? [[name, own], ...within] : within
}

/** Every alternative of a schema within a value. */
function alternativesIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === 'anyOf' || key === 'oneOf' ? (member as readonly object[]) : []),
    ...alternativesIn(member),
  ])
}

const has = ({ type }: Record<string, unknown>, kind: string) => [type].flat().includes(kind)

describe('integers of 64 bits', () => {
  const amounts = [
    ...[
      'beacon_amount',
      'witness_amount',
      'dc_transfer_amount',
      'amount',
      'dc_transfer_reward',
      'poc_reward',
    ],
    ...['subscriber_reward', 'base_poc_reward', 'boosted_poc_reward', 'matched_amount', 'price'],
  ]
  const sums = ['total_amount', 'total_dc_transfer_reward', 'total_offloaded_bytes', 'offloaded_bytes']
  const others = [
    ...['balance', 'nonce', 'dc_balance', 'first_block', 'last_block', 'block', 'time', 'location', 'epoch'],
    ...['dc_onboarding_fee_paid', 'last_poc_challenge', 'oracle_price', 'dc_bones_per_share'],
  ]

  it.each([...amounts, ...sums, ...others])('%s have the format int64', (name) => {
    const found = schemasIn(served.document.components.schemas).filter(
      ([own, schema]) => own === name && has(schema, 'integer'),
    )
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(([, { format }]) => format !== 'int64')).toEqual([])
  })

  it('have no other format, and integers without a format are small', () => {
    const integers = schemasIn(served.document.components.schemas).filter(([, own]) => has(own, 'integer'))
    expect(new Set(integers.map(([, { format }]) => format))).toEqual(new Set(['int64', 'int32', undefined]))
    const plain = integers.filter(([, { format }]) => format === undefined).map(([name]) => name)
    expect([...new Set(plain)].sort()).toEqual(['1', 'count', 'resolution'])
  })

  it.each([
    ['an amount', 'IotRewardShareOperationalRewardDetail', 'amount', '18446744073709551615 (2^64 - 1)'],
    ['a sum', 'IotRewardShareTotals', 'total_amount', 'also beyond 64 bits'],
    ['a number of bytes', 'MobileRewardShareGatewayRewardDetail', 'offloaded_bytes', 'also beyond 64 bits'],
  ])('state the range of %s', (_what, schema, name, said) => {
    const { properties } = served.document.components.schemas[schema] as {
      properties: Record<string, Record<string, unknown>>
    }
    expect(properties[name]).toMatchObject({ minimum: 0, description: expect.stringContaining(said) })
  })
})

describe('what generated clients cannot read', () => {
  it('is in no schema: a pattern of a nullable string, a condition, a 32-bit number', () => {
    const schemas = schemasIn(served.document.components.schemas)
    const nullable = schemas.filter(([, own]) => has(own, 'null'))
    expect(nullable.length).toBeGreaterThan(30)
    expect(nullable.filter(([, own]) => 'pattern' in own)).toEqual([])
    const numbers = schemas.filter(([, own]) => has(own, 'number'))
    expect(numbers.length).toBeGreaterThan(5)
    expect(numbers.filter(([, { format }]) => format !== 'double')).toEqual([])
    expect(JSON.stringify(served.document)).not.toMatch(/"(if|then|else)":/)
  })

  it('is in no schema: an alternative without a type', () => {
    const alternatives = [...alternativesIn(served.document), ...alternativesIn(texts)]
    expect(alternatives.length).toBeGreaterThan(20)
    expect(alternatives.filter((own) => !('type' in own || '$ref' in own))).toEqual([])
  })

  it.each([
    ['RewardManifestMobileDetail', 'token', ['string', 'null'], 'mobile_reward_token_mobile'],
    [
      'IotRewardShareUnallocatedRewardDetail',
      'unallocated_reward_type',
      'string',
      'unallocated_reward_type_poc',
    ],
    [
      'MobileRewardShareRadioRewardV2Detail',
      'oracle_boosted_hex_status',
      'string',
      'oracle_boosted_hex_status_banned',
    ],
    ['MobileRewardShareServiceProviderRewardDetail', 'service_provider_id', 'string', 'helium_mobile'],
  ])(
    'is not used for %s.%s: an open list has no enum, and its description has the names',
    (schema, name, type, known) => {
      const { properties } = served.document.components.schemas[schema] as {
        properties: Record<string, Record<string, unknown>>
      }
      const { description, examples, ...rest } = properties[name] ?? {}
      expect(rest).toEqual({ type })
      expect(description).toContain(known)
      expect(examples).toHaveLength(1)
    },
  )

  it.each([
    ['IotRewardShare', 3],
    ['MobileRewardShare', 7],
    ['RewardManifest', networks.length],
  ])('is not used for %s: the union has the discriminator reward_type for its %i variants', (name, count) => {
    const { schemas } = served.document.components
    const { oneOf, discriminator } = schemas[name] as {
      oneOf: readonly { $ref: string }[]
      discriminator: { propertyName: string; mapping: Record<string, string> }
    }
    expect(discriminator.propertyName).toBe('reward_type')
    expect(Object.values(discriminator.mapping)).toEqual(oneOf.map(({ $ref }) => $ref))
    expect(oneOf).toHaveLength(count)
    for (const [choice, $ref] of Object.entries(discriminator.mapping)) {
      const { properties } = schemas[$ref.split('/').at(-1) ?? ''] as {
        properties: Record<string, { enum?: readonly string[] }>
      }
      expect(properties.reward_type?.enum).toEqual([choice])
    }
  })
})

describe('the document with integers as strings', () => {
  it('has its own address, and the two documents name each other', async () => {
    const linkOf = (document: Documented) =>
      (document as { externalDocs?: { url: string } }).externalDocs?.url.replace('http://localhost:80', '')
    expect([linkOf(served.document), linkOf(texts)]).toEqual([
      '/openapi.json?integers=string',
      '/openapi.json',
    ])
    for (const url of [linkOf(served.document), linkOf(texts)]) {
      expect((await served.get(url as string)).statusCode).toBe(200)
    }
    expect((await served.get('/openapi.json?integers=number')).body).toBe(served.text)
    expect(Object.keys(texts.paths)).toEqual(Object.keys(served.document.paths))
  })

  it.each([
    ['integers=text', 'integers is "text"; use number or string.'],
    ['integer=string', 'integer is not a parameter here; did you mean integers?'],
  ])('returns 422 for the query %s', async (query, sentence) => {
    const { statusCode, body } = await served.get(`/openapi.json?${query}`)
    expect([statusCode, readRounded(body).error]).toEqual([422, sentence])
  })

  it('requires integers=string in every operation', () => {
    // Amounts of statements, earnings and of GraphQL and indexes of cells are always text, and a search finds no integers.
    const without = /\/(?:statement|earnings|h3-cells\/)|\/search$|^\/(?:graphql|healthz|up|readyz|metrics)/
    const asked = operationsIn(texts).filter(
      ({ path, operation }) => !without.test(path) && operation.operationId !== 'post-sql',
    )
    expect(asked).toHaveLength(9 + 4 * networks.length + 2 * lists.length)
    for (const { operation } of asked) {
      const parameter = operation.parameters?.find(({ name }) => name === 'integers')
      expect(parameter).toMatchObject({ required: true, schema: { enum: ['string'] }, example: 'string' })
    }
  })

  it('has no 64-bit integer but page numbers', () => {
    const wide = schemasIn(texts.components.schemas).filter(([, { format }]) => format === 'int64')
    const pages = ['total_pages', 'current_page', 'next_page', 'prev_page']
    // Unsigned 32 bits on the wire.
    const inPromotions = ['incentive_escrow_fund_bps', 'shares']
    expect(new Set(wide.map(([name]) => name))).toEqual(new Set([...pages, ...inPromotions]))
  })

  it.each(filled.filter((_, place) => place % scaled(3, 1) === 0))(
    'accepts every record of %s, and the other document none',
    async (path) => {
      const range = path.includes('reward-shares') ? `${everything}&` : ''
      let records = 0
      for (let number: number | null = 1; number !== null; ) {
        const { body } = await served.get(`${path}?${range}per_page=100&page=${number}&integers=string`)
        const page = readRounded<{ meta: { next_page: number | null }; records?: []; objects?: [] }>(body)
        expect(inTexts(page, path)).toEqual([])
        records += (page.records ?? page.objects ?? []).length
        number = page.meta.next_page
      }
      expect(records).toBeGreaterThan(1)
    },
  )

  let exact: Documented
  beforeAll(async () => {
    exact = readExact<Documented>((await served.get('/openapi.json?integers=string')).body)
  })

  it.each(answered)('has the actual reply to the example of %s', async (_id, path) => {
    const asked = operationOf(exact, path)
    const { statusCode, body } = await served.get(exampleAddress(path, asked))
    expect(statusCode).toBe(200)
    expect(inTexts(readRounded(body), path)).toEqual([])
    expect(contentOf(exact, asked, '200')?.examples?.reply?.value).toEqual(readExact(body))
  })

  it('accepts values beyond 64 bits', async () => {
    const amount = 2n ** 64n - 1n
    const lake = await makeLake({
      'iot/iot_reward_share.1.gz': [1, 2, 3].map(() =>
        iotShare({ ...dayBefore('2025-01-29'), reward_type: 'operational_reward', amount }),
      ),
    })
    const other = await buildTestServer(lake.folder)
    const path = '/l2/iot-reward-shares/totals'
    const { text } = await other.get(`${path}?${everything}&integers=string`)
    expect(text).toContain(`"total_amount":"${3n * amount}"`)
    expect(inTexts(readRounded(text), `/v1/net${path}`)).toEqual([])
    const plain = readRounded((await other.get(`${path}?${everything}`)).text)
    expect(inTexts(plain, `/v1/net${path}`)).not.toEqual([])
    expect(served.faultsOf(plain, `/v1/net${path}`, '200')).toEqual([])
  })

  it('refuses numbers, and strings that are not digits', async () => {
    const path = '/v1/net/l2/iot-reward-shares/totals'
    const sums = readRounded((await served.get(`${path}?${everything}&integers=string`)).body)
    expect(inTexts(sums, path)).toEqual([])
    for (const wrong of [1, '', '-1', '1.0', '1e3', null]) {
      expect(inTexts({ ...sums, total_amount: wrong }, path)).not.toEqual([])
    }
  })
})
