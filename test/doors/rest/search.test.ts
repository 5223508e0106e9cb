import { beforeAll, describe, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { embedded, ofArrays } from '../../support/engines.ts'
import { deriveBlocks } from '../../support/lakes/derive-all.ts'
import { searchedLake, searchedRows } from '../../support/lakes/searched-lake.ts'
import { readRounded, schemaCheckOf } from '../../support/schema-check.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { contentOf, type Documented } from '../../support/servers/documented.ts'
import { operationOf } from '../../support/servers/documented-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { workOf } from '../../support/servers/work-of.ts'
import { scaled } from '../../support/tier.ts'

interface Hit {
  readonly kind: string
  readonly id: string | null
  readonly key: string
  readonly name: string | null
  readonly matched: string
  readonly text: string
  readonly is_exact: boolean
  readonly path: string
}

interface Reply {
  readonly q: string
  readonly hits: readonly Hit[]
  readonly more: readonly string[]
}

const ways = ['without indexes', 'with indexes', 'by an engine of arrays'] as const
const servers = new Map<string, TestServer>()
let lake = ''

beforeAll(async () => {
  lake = await searchedLake()
  const derived = await searchedLake()
  await deriveBlocks(derived)
  servers.set(ways[0], await buildTestServer(lake, 60_000, embedded))
  servers.set(ways[1], await buildTestServer(derived, 60_000, embedded))
  servers.set(ways[2], await buildTestServer(lake, 60_000, ofArrays))
})

const serverOf = (way: string) => servers.get(way) as TestServer
const pathOf = (q: string) => `/search?${new URLSearchParams({ q })}`

async function search(q: string, way: string = ways[1]): Promise<Reply> {
  const { status, text } = await serverOf(way).get(pathOf(q))
  expect(status, text).toBe(200)
  return JSON.parse(text) as Reply
}

/** Kind, key and text of each hit, with a mark for exact ones. */
const shortOf = ({ hits }: Reply) =>
  hits.map(
    ({ kind, key, matched, text, is_exact }) => `${is_exact ? '= ' : ''}${kind} ${key} ${matched} ${text}`,
  )

const tigers = [
  '= hotspot 11angryTiger name angry-purple-tiger',
  '= hotspot 11angryTiger name angry-purple-tiger',
  '= gateway 11angryTiger name angry-purple-tiger',
]

describe.each(scaled(ways.slice(0, 2), [...ways]))('a search %s', (way) => {
  it.each(['angry-purple-tiger', 'Angry Purple Tiger', ' ANGRY-purple  tiger ', 'angry_purple_tiger'])(
    'finds the hotspots and the gateway of a name typed as %j',
    async (q) => {
      expect(shortOf(await search(q, way))).toEqual(tigers)
    },
  )

  it('finds texts by their beginning, ordered by kind and text', async () => {
    const { hits, more } = await search('angry', way)
    expect(shortOf({ hits, more, q: '' })).toEqual([
      'hotspot 11otherwise name Angry Written Otherwise',
      'hotspot 11angrySwan name angry-pure-swan',
      'hotspot 11angryTiger name angry-purple-tiger',
      'hotspot 11angryTiger name angry-purple-tiger',
      'hotspot 11angryToad name angry-purple-toad',
      'maker maker2 name ANGRY antennas',
      'maker maker1 name Angry Radios',
      'maker angryMaker address angryMaker',
      'gateway 11angryTiger name angry-purple-tiger',
    ])
    expect(more).toEqual([])
  })

  it('finds hotspots whose stored names have capitals and blanks', async () => {
    const written = 'hotspot 11otherwise name Angry Written Otherwise'
    for (const q of ['Angry W', 'angry-w', 'ANGRY_written'])
      expect(shortOf(await search(q, way)), q).toEqual([written])
    for (const q of ['Angry Written Otherwise', 'angry-written-otherwise'])
      expect(shortOf(await search(q, way)), q).toEqual([`= ${written}`])
  })

  it('finds a name in neither spelling of a ledger only in its stored spelling', async () => {
    expect(shortOf(await search('ANGRY od', way))).toEqual(['hotspot 11odd name ANGRY odd one'])
    expect(shortOf(await search('angry odd', way))).toEqual([])
  })

  const tiger = 'hotspot 11angryTiger name angry-purple-tiger'
  const toad = 'hotspot 11angryToad name angry-purple-toad'
  it.each([
    ['any word', 'tiger', [tiger, tiger]],
    ['the beginning of any word', 'Toa', [toad]],
    ['words in any order', 'toad angry', [toad]],
    ['a word with a wrong letter', 'angry parple toad', [toad]],
    ['a word without a letter', 'ngry-purple-toad', [toad]],
    ['a word with a letter more', 'Angrry Purple Toad', [toad]],
    ['a word with two letters swapped', 'purpel toad', [toad]],
    ['words without blanks', 'ANGRYPURPLETOAD', [toad]],
    ['words without blanks, the last incomplete', 'purpleto', [toad]],
    ['words of different names', 'swan tiger', []],
    ['two wrong letters', 'purrrle toad', []],
    ['a wrong letter in a short word', 'tod', []],
  ])('finds hotspots by %s: %s', async (_, q, expected) => {
    expect(shortOf(await search(q, way))).toEqual(expected)
  })

  it('names hotspots as a kind with more hits by a word', async () => {
    const { hits, more } = await search('hotspots', way)
    expect(hits.map(({ kind }) => kind)).toEqual(Array(5).fill('hotspot'))
    for (const { text, is_exact } of hits)
      expect([text, is_exact]).toEqual([expect.stringMatching(/^many-....-hotspots$/), false])
    expect(more).toEqual(['hotspot'])
  })

  it('prefers names with the typed words to names with a wrong letter', async () => {
    // “pure” is also “purple” with one letter changed.
    expect(shortOf(await search('pure swan', way))).toEqual(['hotspot 11angrySwan name angry-pure-swan'])
  })

  it('returns all members of a hit, and the path of its resource', async () => {
    const { q, hits } = await search('11angryTo', way)
    expect([q, hits]).toEqual([
      '11angryTo',
      [
        {
          kind: 'hotspot',
          id: '00000000-0000-4000-8000-000000000002',
          key: '11angryToad',
          name: 'angry-purple-toad',
          matched: 'ecc_key',
          text: '11angryToad',
          is_exact: false,
          path: '/v1/net/l2/hotspots/asset2',
        },
      ],
    ])
    const { text } = await serverOf(way).get('/l2/hotspots/asset2')
    expect(JSON.parse(text)).toMatchObject({ id: hits[0]?.id, ecc_key: '11angryToad' })
  })

  it('returns an owner once for any number of hotspots, and the account of the same address', async () => {
    const { hits, more } = await search('ownerOfMany', way)
    expect(shortOf({ hits, more, q: '' })).toEqual([
      '= owner ownerOfMany owner ownerOfMany',
      '= account ownerOfMany address ownerOfMany',
    ])
    expect(hits[0]).toMatchObject({ id: null, name: null, path: '/v1/net/l2/hotspots?owner=ownerOfMany' })
    const { text } = await serverOf(way).get('/l2/hotspots?owner=ownerOfMany&per_page=100')
    expect(JSON.parse(text).meta.total_pages).toBe(7)
    expect(shortOf(await search('ownerOf', way))).toEqual([
      'owner ownerOfMany owner ownerOfMany',
      'owner ownerOfTwo owner ownerOfTwo',
      'account ownerOfMany address ownerOfMany',
    ])
  })

  it('finds a transaction by its hash and by the beginning of it', async () => {
    const { transactions = [] } = searchedRows
    const hash = String(transactions[4711]?.transaction_hash)
    expect(shortOf(await search(hash, way))).toEqual([`= transaction ${hash} transaction_hash ${hash}`])
    const hits = transactions
      .map(({ transaction_hash }) => String(transaction_hash))
      .filter((own) => own.startsWith('haa'))
      .sort()
    const found = await search('haa', way)
    expect(hits.length).toBeGreaterThan(5)
    expect(shortOf(found)).toEqual(
      hits.slice(0, 5).map((own) => `transaction ${own} transaction_hash ${own}`),
    )
    expect(found.more).toEqual(['transaction'])
  })

  it('returns the exact hit before hits that begin with the text', async () => {
    expect(shortOf(await search('13angryAccount', way))).toEqual([
      '= account 13angryAccount address 13angryAccount',
      'account 13angryAccounts address 13angryAccounts',
    ])
  })

  it('returns at most five hits of a kind in the order of their texts, and names kinds with more', async () => {
    const names = (searchedRows.hotspots ?? [])
      .map(({ name }) => String(name))
      .filter((name) => name.startsWith('many-a'))
      .sort()
    const { hits, more } = await search('MANY A', way)
    expect(names.length).toBeGreaterThan(5)
    expect([hits.map(({ text }) => text), more]).toEqual([names.slice(0, 5), ['hotspot']])
  })

  it('returns no hit for a text that is the beginning of none', async () => {
    expect(await search('nobody-has-this', way)).toEqual({ q: 'nobody-has-this', hits: [], more: [] })
  })
})

describe('a search', () => {
  beforeAll(async () => {
    // Makers are read once for each version of their table.
    await serverOf(ways[1]).get(pathOf('warm'))
  })

  it.each([
    ['a name', 'angry-purple-tiger'],
    ['a key', '112aaaa'],
    ['the start of many names', 'many-'],
    ['a hash', String(searchedRows.transactions?.[4711]?.transaction_hash)],
    ['an owner of many hotspots', 'ownerOfMany'],
  ])('reads only indexes: %s', async (_, q) => {
    const test = serverOf(ways[1])
    const before = test.engine.work()
    const { headers } = await test.get(pathOf(q))
    expect(headers['server-timing']).toMatch(/desc="index"$/)
    expect(test.engine.work()).toEqual(before)
  })

  it('reads the tables if there are no indexes', async () => {
    const test = serverOf(ways[0])
    const before = test.engine.work().statements
    const { headers } = await test.get(pathOf('112aaaa'))
    expect(headers['server-timing']).toMatch(/desc="engine, /)
    expect(test.engine.work().statements).toBeGreaterThan(before)
  })

  it('runs no statement if nothing matches or if the client has the response', async () => {
    const test = serverOf(ways[1])
    const { statements } = await workOf(test, pathOf('~~~'))
    expect(statements).toBe(0)
    const { headers } = await test.get(pathOf('many-'))
    const before = test.engine.work().statements
    const { statusCode } = await test.server.inject({
      url: `/v1/net${pathOf('many-')}`,
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect([statusCode, test.engine.work().statements]).toEqual([304, before])
  })
})

describe('GET /search', () => {
  it.each([
    ['', 'q is missing; give at least 3 characters of a name, key, address or hash.'],
    ['?q=%20ab%20', 'q is "ab"; give at least 3 characters of a name, key, address or hash.'],
    [`?q=${'a'.repeat(201)}`, 'q has 201 characters; the limit is 200.'],
    ['?q=abc&q=abd', 'q is given 2 times; give it once.'],
    ['?q=a%00bc', 'q contains a NUL character; remove it.'],
    [
      '?query=abc',
      'query is not a parameter here; use q, as_of. q is missing; give at least 3 characters of a name, key, address or hash.',
    ],
  ])('returns 422 with the reason for %j', async (query, sentence) => {
    const { status, text } = await serverOf(ways[0]).get(`/search${query}`)
    expect([status, JSON.parse(text)]).toMatchObject([422, { error: sentence, code: 'malformed_request' }])
  })

  it('counts characters, not code units', async () => {
    expect((await serverOf(ways[0]).get(pathOf('🐅🐅'))).status).toBe(422)
    expect((await serverOf(ways[0]).get(pathOf('🐅🐅🐅'))).status).toBe(200)
  })

  it('answers as of a snapshot, names it, and is cacheable if it is named', async () => {
    const test = serverOf(ways[0])
    const { headers, text } = await test.get(pathOf('angry'))
    const id = String(headers['ledgerlake-snapshot'])
    expect([id, headers['cache-control']]).toEqual([(await new Lake(lake).latest()).id, 'public, no-cache'])
    const pinned = await test.get(`${pathOf('angry')}&as_of=${id}`)
    expect([pinned.text, pinned.headers['cache-control']]).toEqual([text, 'public, max-age=86400'])
    const before = await test.get(`${pathOf('angry')}&as_of=2020-01-01`)
    expect([before.status, JSON.parse(before.text).code]).toEqual([422, 'malformed_request'])
  })

  it('returns the same over GraphQL', async () => {
    const query = '{ search(q: "angry") { q hits { kind id key name matched text isExact path } more } }'
    const reply = await serverOf(ways[1]).server.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query },
    })
    const { q, hits, more } = await search('angry')
    const same = hits.map(({ is_exact, kind, ...hit }) => ({
      ...hit,
      kind: kind.toUpperCase(),
      isExact: is_exact,
    }))
    expect(reply.json()).toEqual({ data: { search: { q, hits: same, more } } })
    const short = await serverOf(ways[1]).server.inject({
      ...{ method: 'POST', url: '/graphql', payload: { query: '{ search(q: "ab") { q } }' } },
    })
    const sentence = 'q is "ab"; give at least 3 characters of a name, key, address or hash.'
    expect(short.json().errors).toMatchObject([
      { message: sentence, extensions: { code: 'malformed_request' } },
    ])
  })

  it('matches its JSON schema', async () => {
    const { server } = serverOf(ways[0])
    const document = readRounded<Documented>((await server.inject('/openapi.json')).body)
    const schema = contentOf(document, operationOf(document, '/v1/net/search'), '200')?.schema
    const faultsOf = (value: unknown) => schemaCheckOf(document).faultsOf(schema ?? {}, value)
    const reply = await search('angry')
    expect(faultsOf(reply)).toEqual([])
    expect(faultsOf(await search('ownerOfMany'))).toEqual([])
    expect(faultsOf({ ...reply, hits: [{ ...reply.hits[0], kind: 'validator' }] })).not.toEqual([])
  })

  it('finds only the kinds that a key may read', async () => {
    const { ask, newKey } = await gatedServer(lake)
    const path = '/v1/net/search?q=angry-purple-tiger'
    expect((await ask(path)).status).toBe(401)
    const kindsFor = async (key: string) => {
      const { status, text, headers } = await ask(path, key)
      expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache'])
      const { hits } = JSON.parse(text) as Reply
      return [new Set(hits.map(({ kind }) => kind)), headers.etag]
    }
    const [all, tag] = await kindsFor(await newKey({ features: ['HotspotData'] }))
    const [fewer, other] = await kindsFor(await newKey({ features: ['OracleData', 'Aggregates'] }))
    expect([all, fewer]).toEqual([new Set(['hotspot', 'gateway']), new Set(['hotspot'])])
    expect(tag).not.toBe(other)
    const few = async (feature: 'HotspotData' | 'OracleData') => {
      const payload = JSON.stringify({ query: '{search(q:"angry-purple-tiger"){hits{kind}}}' })
      const headers = { 'content-type': 'application/json' }
      const key = await newKey({ features: [feature] })
      return (await ask('/graphql', key, { method: 'POST', headers, payload })).text.match(/[A-Z]+/g)
    }
    expect(await few('HotspotData')).toEqual(['HOTSPOT', 'HOTSPOT', 'GATEWAY'])
    expect(await few('OracleData')).toEqual(['HOTSPOT', 'HOTSPOT'])
  })
})
