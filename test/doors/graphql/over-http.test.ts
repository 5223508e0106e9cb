import { beforeAll, describe, expect, it } from 'vitest'
import { dayBefore, hotspot, iotShare, type MadeLake, makeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'

const own = 'application/graphql-response+json'
const json = 'application/json'

let lake: MadeLake
let server: TestServer

beforeAll(async () => {
  const share = { reward_type: 'gateway_reward', hotspot_key: hotspot(1).raw } as const
  lake = await makeLake({ 'iot/iot_reward_share.1.gz': [iotShare({ ...dayBefore('2025-01-10'), ...share })] })
  server = await buildTestServer(lake.folder)
})

interface Answer {
  readonly status: number
  readonly type: string | undefined
  readonly keys: readonly string[]
  readonly messages: readonly string[]
  readonly code: string | undefined
}

interface Body {
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

async function ask(
  accept: string | undefined,
  payload: object | string | undefined,
  url = '/graphql',
): Promise<Answer> {
  const reply = await server.server.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url,
    headers: { 'content-type': json, ...(accept !== undefined && { accept }) },
    ...(payload !== undefined && { payload }),
  })
  const body = JSON.parse(reply.body) as Body
  const type = reply.headers['content-type'] as string | undefined
  expect(reply.headers.vary).toMatch(/\bAccept\b/)
  return {
    status: reply.statusCode,
    type: type?.replace('; charset=utf-8', ''),
    keys: Object.keys(body),
    messages: body.errors?.map(({ message }) => message) ?? [],
    code: body.errors?.[0]?.extensions.code,
  }
}

describe('the media type of a reply', () => {
  it.each([
    [undefined, json],
    ['*/*', json],
    ['application/*', json],
    [json, json],
    [own, own],
    ['APPLICATION/GraphQL-Response+JSON; charset=utf-8', own],
    [`${own}, ${json};q=0.9`, own],
    [`${json};q=0.9, ${own}`, own],
    [`${json}, ${own}`, json],
    [`${own}, ${json}`, own],
    [`${own};q=0.5, ${json};q=0.8`, json],
    [`${own};q=0, */*`, json],
    [`${own};q=0`, json],
    [`${own}, application/graphql+json, ${json}, text/event-stream, multipart/mixed`, own],
    [`${json}, multipart/mixed`, json],
    ['text/plain', json],
    ['image/png, */*;q=0.1', json],
  ])('for Accept: %s is %s', async (accept, type) => {
    for (const payload of [{ query: '{ status }' }, { query: '{ nope }' }, '{"query":'])
      expect((await ask(accept, payload)).type).toBe(type)
    expect((await ask(accept, undefined, '/graphql/iot-reward-shares?first=1')).type).toBe(type)
  })
})

describe('the status of a reply', () => {
  const shares = (given: string) => `{ iotRewardShares(${given}) { nodes { id } } }`

  it.each([
    ['answered', { query: '{ status }' }, 200, 200, ['data']],
    ['refused while executing', { query: shares('first: -1') }, 200, 200, ['data', 'errors']],
    ['of wrong syntax', { query: '{ status' }, 200, 400, ['errors']],
    ['not valid', { query: '{ nope }' }, 200, 400, ['errors']],
    ['too large', { query: `{ ${'status '.repeat(501)} }` }, 200, 400, ['errors']],
    ['a mutation', { query: 'mutation { status }' }, 200, 400, ['errors']],
    ['not chosen', { query: '{ status }', operationName: 'B' }, 200, 400, ['errors']],
    ['short of a variable', { query: 'query ($n: Int!) { status echo(message: $n) }' }, 200, 400, ['errors']],
    ['no text', { query: 5 }, 400, 400, ['errors']],
    ['not there', {}, 400, 400, ['errors']],
    ['in a body that is no JSON', '{"query":', 400, 400, ['errors']],
  ])('follows the accepted media type for a query that is %s', async (_, payload, asJson, asOwn, keys) => {
    for (const [accept, status] of [
      [undefined, asJson],
      [json, asJson],
      [own, asOwn],
    ] as const) {
      const answer = await ask(accept, payload)
      expect([accept, answer.status, [...answer.keys].sort()]).toEqual([accept, status, keys])
    }
  })

  it('200 without execution uses no quota and is not cached', async () => {
    const gated = await gatedServer(lake.folder)
    const key = await gated.newKey({ quotaPer30Days: 1 })
    for (const query of ['{nope}', '{', '{status}']) {
      const { status, headers } = await gated.ask(`/graphql?query=${query}`, key)
      expect([query, status, headers['cache-control'] === 'no-store']).toEqual([
        query,
        200,
        query !== '{status}',
      ])
    }
    expect((await gated.ask('/graphql?query={status}', key)).status).toBe(402)
  })
})

describe('an invalid parameter of a persisted query', () => {
  it.each([
    ['last=-1', 'last is -1; use a whole number, 0 or more.'],
    ['first=-5', 'first is -5; use a whole number, 0 or more.'],
    ['after=x', 'after is "x"; use a cursor from a reply of iotRewardShares.'],
    [
      'startPeriod=2025-01-10&endPeriod=2025-01-09',
      'startPeriod is "2025-01-10" and endPeriod is "2025-01-09"; startPeriod must be before endPeriod.',
    ],
    ['first=x', 'first is "x"; use a whole number.'],
  ])('%s is 400', async (query, message) => {
    for (const accept of [json, own]) {
      const answer = await ask(accept, undefined, `/graphql/iot-reward-shares?${query}`)
      expect(answer).toEqual({
        status: 400,
        type: accept,
        keys: ['errors'],
        messages: [message],
        code: 'malformed_request',
      })
    }
  })
})

describe('a client of automatic persisted queries', () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } }
  const refused = {
    messages: ['PersistedQueryNotSupported'],
    code: 'PERSISTED_QUERY_NOT_SUPPORTED',
    keys: ['errors'],
  }

  it('that sends only a hash is asked to send the query', async () => {
    expect(await ask(json, { extensions })).toEqual({ ...refused, status: 200, type: json })
    expect(await ask('*/*', { query: '', extensions })).toMatchObject({ ...refused, status: 200 })
    expect(await ask(own, { extensions })).toEqual({ ...refused, status: 400, type: own })
    const search = new URLSearchParams({ extensions: JSON.stringify(extensions), operationName: 'A' })
    expect(await ask(json, undefined, `/graphql?${search}`)).toEqual({ ...refused, status: 200, type: json })
  })

  it('that sends the query too is answered', async () => {
    expect((await ask(json, { query: '{ status }', extensions })).keys).toEqual(['data'])
  })

  it.each(['{', '[]', 'null', '{"persistedQuery":null}', ''])(
    'is told to send a query if its extensions are %j and it sends none',
    async (text) => {
      const answer = await ask(json, undefined, `/graphql?${new URLSearchParams({ extensions: text })}`)
      expect([answer.status, answer.messages]).toEqual([
        400,
        ['There is no query; send one such as {"query": "{ status }"}.'],
      ])
    },
  )
})

it('a batch is refused with the advice to send its queries one by one', async () => {
  for (const accept of [json, own])
    expect(await ask(accept, [{ query: '{ status }' }, { query: '{ status }' }])).toEqual({
      status: 400,
      type: accept,
      keys: ['errors'],
      messages: [
        'Batches are not supported. Send each query in a request of its own, such as {"query": "{ status }"}.',
      ],
      code: 'malformed_request',
    })
})

it('scalars name their specification', async () => {
  const query = '{ __schema { types { name kind specifiedByURL } } }'
  const { body } = await server.server.inject({ method: 'POST', url: '/graphql', payload: { query } })
  const types = JSON.parse(body).data.__schema.types as {
    name: string
    kind: string
    specifiedByURL: string | null
  }[]
  const specified = types.filter(({ specifiedByURL }) => specifiedByURL !== null)
  expect(specified.map(({ name }) => name).sort()).toEqual(['BigInt', 'Binary', 'ISO8601DateTime'])
  for (const { kind, specifiedByURL } of specified)
    expect([kind, specifiedByURL]).toEqual([
      'SCALAR',
      expect.stringMatching(/^https:\/\/www\.(rfc-editor|w3)\.org\//),
    ])
})
