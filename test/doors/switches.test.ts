import { beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../src/catalog/feature.ts'
import type { ServerOptions } from '../../src/doors/build-server.ts'
import { relay } from '../../src/doors/dialect/relay.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { some } from '../support/some.ts'
import { scaled } from '../support/tier.ts'
import { corpusRequests, kept, type Sent, send } from './one-answer/corpus-requests.ts'

/** Each switch of a server over the whole corpus; `npm test` asks some of it. */
const requests = corpusRequests.filter((_, place) => place % scaled(20, 1) === 0)
const origin = 'https://pages.example.org'
const basePath = '/base'

let lake: string
/** The replies of a server without any switch. */
let plain: readonly Sent[]

beforeAll(async () => {
  lake = await smallLake()
  const { server } = await buildTestServer(lake)
  plain = await eachOf((request) => send(server, request))
})

async function eachOf(ask: (request: (typeof requests)[number]) => Promise<Sent>): Promise<readonly Sent[]> {
  const replies: Sent[] = []
  for (const request of some(requests)) replies.push(await ask(request))
  return replies
}

const switched = async (options: Partial<ServerOptions>) =>
  (await buildTestServer(lake, 60_000, undefined, options)).server

describe('over the corpus, a server', () => {
  it('gets requests of every kind', () => {
    const methods = new Set(plain.map(({ method }) => method))
    const statuses = new Set(plain.map(({ status }) => status))
    expect([...methods]).toEqual(expect.arrayContaining(['GET', 'POST']))
    expect([...statuses]).toEqual(expect.arrayContaining([200, 404, 422]))
    expect(corpusRequests.length).toBeGreaterThan(300)
  })

  it('with keys refuses requests without a key, and answers a key with all features as a server without keys', async () => {
    const { test, newKey } = await gatedServer(lake)
    const authorization = `Bearer ${await newKey({ features })}`
    const refused = await eachOf((request) => send(test.server, request))
    const answered = refused.filter(({ status }) => status !== 401)
    // Wrong addresses and methods are told apart without a key.
    expect(answered.map(({ status, url }) => `${status} ${url}`)).toEqual(
      plain.filter(isMisdirected).map(({ status, url }) => `${status} ${url}`),
    )
    const allowed = await eachOf((request) => send(test.server, request, { headers: { authorization } }))
    expect(allowed.map((reply) => kept(reply))).toEqual(plain.map((reply) => kept(reply)))
  })

  it('with origins allows only those to read its responses, which do not change', async () => {
    const server = await switched({ origins: [origin] })
    const replies = await eachOf((request) => send(server, request, { headers: { origin } }))
    expect(replies.map((reply) => kept(reply))).toEqual(plain.map((reply) => kept(reply)))
    for (const { headers, url } of replies)
      expect([url, headers['access-control-allow-origin'], headers['access-control-expose-headers']]).toEqual(
        [url, origin, '*'],
      )
    const others = await eachOf((request) =>
      send(server, request, { headers: { origin: 'https://other.example' } }),
    )
    expect(others.filter(({ headers }) => headers['access-control-allow-origin'] !== undefined)).toEqual([])
  })

  it('with a log writes a line for each request, with its status', async () => {
    const lines: string[] = []
    const server = await switched({ log: { access: true, write: (line) => void lines.push(line) } })
    const replies = await eachOf((request) => send(server, request))
    expect(replies.map((reply) => kept(reply))).toEqual(plain.map((reply) => kept(reply)))
    const logged = lines
      .map((line) => JSON.parse(line))
      .map(({ method, url, status }) => ({ method, url, status }))
    expect(logged).toEqual(plain.map(({ method, url, status }) => ({ method, url, status })))
  })

  it('below a base path returns the same responses, with links below the path', async () => {
    const server = await switched({ outside: { origin: '', basePath } })
    const replies = await eachOf((request) => send(server, request, { basePath }))
    expect(replies.map((reply) => kept(reply, basePath))).toEqual(plain.map((reply) => kept(reply)))
  })

  it('with --compat relay never fails, and refuses nothing that it accepts without it', async () => {
    const server = await switched({ dialect: relay })
    const replies = await eachOf((request) => send(server, request))
    const pairs = replies.map(
      ({ method, url, status }, place) => `${plain[place]?.status} ${status} ${method} ${url}`,
    )
    expect(pairs.filter((pair) => !/^(\d+) \1 |^422 200 /.test(pair))).toEqual([])
  })

  it('with all switches at once returns the same responses', async () => {
    const lines: string[] = []
    const options = {
      ...{ origins: [origin], outside: { origin: '', basePath } },
      log: { access: true, write: (line: string) => void lines.push(line) },
    }
    const { test, newKey } = await gatedServer(lake, { options })
    const authorization = `Bearer ${await newKey({ features })}`
    const replies = await eachOf((request) =>
      send(test.server, request, { basePath, headers: { authorization, origin } }),
    )
    expect(replies.map((reply) => kept(reply, basePath))).toEqual(plain.map((reply) => kept(reply)))
    expect(replies.filter(({ headers }) => headers['access-control-allow-origin'] !== origin)).toEqual([])
    expect(lines).toHaveLength(replies.length)
    expect(lines.filter((line) => line.includes(authorization.slice(-64)))).toEqual([])
  })
})

const isMisdirected = ({ status, body }: Sent) =>
  status === 405 || (status === 404 && body.includes('There is no'))
