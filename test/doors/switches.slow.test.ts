import { join } from 'node:path'
import { expect, it } from 'vitest'
import { features } from '../../src/catalog/feature.ts'
import { addKey } from '../../src/keys/key-file.ts'
import { corpusInputs } from '../support/conformance/corpus.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { startServing } from '../support/servers/run-program.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { corpusRequests, kept, send, sendTo } from './one-answer/corpus-requests.ts'

const origin = 'https://pages.example.org'

it('two workers with keys, origins, a log and a base path answer the corpus like one process without them', async () => {
  const lake = await temporaryFolder()
  expect(await ingestInto(lake, corpusInputs)).toMatchObject({ failed: [], refusedRows: 0 })
  const { server } = await buildTestServer(lake)
  const plain = []
  for (const request of some(corpusRequests)) plain.push(kept(await send(server, request)))

  const noLimit = { ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
  const key = await addKey(
    join(lake, '_keys', 'keys.ndjson'),
    { name: 'all', features, ...noLimit },
    new Date(),
  )
  const switches = [
    '--workers',
    '2',
    '--cors',
    origin,
    '--access-log',
    '--public-url',
    '/base',
    '--network',
    'net',
  ]
  const { address, stderr } = await startServing(['--lake', lake, '--port', '0', ...switches], { cwd: lake })
  const base = new URL(address).origin
  // The tag of a compressed reply says so.
  const headers = { authorization: `Bearer ${key}`, origin, 'accept-encoding': 'identity' }
  const replies = []
  for (const request of corpusRequests) {
    const reply = await sendTo(base, request, '/base', headers)
    expect([reply.url, reply.headers['access-control-allow-origin']]).toEqual([reply.url, origin])
    replies.push(kept(reply, '/base'))
  }
  // What is undefined without a socket is absent with one.
  expect(JSON.parse(JSON.stringify(replies))).toEqual(JSON.parse(JSON.stringify(plain)))
  const logged = () =>
    stderr()
      .split('\n')
      .filter((line) => line.includes('"url":"/base/')).length
  await expect.poll(logged).toBe(corpusRequests.length)
  expect(stderr()).not.toContain(key)
})
