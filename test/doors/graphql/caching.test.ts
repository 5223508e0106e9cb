import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

let test: TestServer
let address: string
beforeAll(async () => {
  test = await buildTestServer(await smallLake('with all indexes'))
  address = await test.server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => void vi.restoreAllMocks())

const page =
  'query Page($n: Int, $a: String) { iotRewardShares(first: $n, after: $a) { nodes { id beaconAmount } pageInfo { endCursor } } }'

async function ask(query: string, variables: object, held?: string) {
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) })
  const headers = {
    accept: '*/*',
    'accept-encoding': '',
    ...(held !== undefined && { 'if-none-match': held }),
  }
  const reply = await fetch(`${address}/graphql?${parameters}`, { headers })
  return { status: reply.status, tag: reply.headers.get('etag') ?? '', text: await reply.text() }
}

it('the ETag of a list differs for other arguments, variables and fields', async () => {
  const texts = [page, page.replace('first: $n', 'last: $n'), page.replace('beaconAmount', 'amount')]
  const asked = texts.flatMap((text) => [2, 3].map((n) => ask(text, { n })))
  const { endCursor } = JSON.parse((await ask(page, { n: 2 })).text).data.iotRewardShares.pageInfo
  const replies = await Promise.all([...asked, ask(page, { n: 2, a: endCursor })])
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  expect(new Set(replies.map(({ tag }) => tag)).size).toBe(7)
  expect(await ask(page, { n: 2 })).toEqual(replies[0])
})

it('the ETag of a list is confirmed without reading rows', async () => {
  const { tag } = await ask(page, { n: 4 })
  const reads = vi.spyOn(test.services.repository, 'peekConnection')
  const [statements, files] = [test.engine.work().statements, test.engine.work().files]
  expect(await ask(page, { n: 4 }, tag)).toEqual({ status: 304, tag, text: '' })
  expect(reads).not.toHaveBeenCalled()
  expect((await ask(page, { n: 5 }, tag)).status).toBe(200)
  expect(reads).toHaveBeenCalledOnce()
  expect(test.engine.work()).toMatchObject({ statements, files })
})

it('a page of a list without I/O is read by no resolver, over GET and POST', async () => {
  const connection = vi.spyOn(test.services.repository, 'connection')
  for (const n of [6, 7, 8]) expect((await ask(page, { n })).text).toContain('"beaconAmount":"')
  const posted = await test.server.inject({
    ...{ method: 'POST', url: '/graphql', payload: { query: page, variables: { n: 6 } } },
  })
  expect(posted.body).toBe((await ask(page, { n: 6 })).text)
  expect(connection).not.toHaveBeenCalled()
})
