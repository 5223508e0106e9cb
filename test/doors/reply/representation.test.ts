import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { preferred } from '../../../src/doors/reply/accept.ts'
import { compressReplies } from '../../../src/doors/reply/compression.ts'
import { send } from '../../../src/doors/reply/representation.ts'

const lines = Array.from({ length: 1000 }, (_, number) => `${number}\n`)
const one = { type: 'application/json; charset=utf-8' }
const other = { type: 'text/csv; charset=utf-8' }

async function openServer() {
  const server = Fastify()
  onTestFinished(() => server.close())
  server.register(async (doors) => {
    compressReplies(doors)
    doors.get('/stream', (_request, reply) => {
      send(reply, { type: other.type, body: Readable.from(lines), tag: 'known' })
    })
    doors.get('/choice', (_request, reply) => send(reply, { ...preferred(reply, [one, other]), body: '' }))
    doors.get('/alone', (_request, reply) => send(reply, { ...preferred(reply, [one]), body: '' }))
  })
  return server
}

it('a stream is sent like text: with its ETag, compressed on request, and as 304 to If-None-Match', async () => {
  const server = await openServer()
  const ask = (headers: Record<string, string>) => server.inject({ url: '/stream', headers })
  const plain = await ask({})
  expect([plain.statusCode, plain.body, plain.headers.etag]).toEqual([200, lines.join(''), '"known"'])
  expect(plain.headers['content-type']).toBe(other.type)
  const packed = await ask({ 'accept-encoding': 'gzip' })
  expect([gunzipSync(packed.rawPayload).toString(), packed.headers.etag]).toEqual([
    lines.join(''),
    '"known-gzip"',
  ])
  for (const tag of ['"known"', 'W/"known-gzip"']) {
    const { statusCode, body } = await ask({ 'if-none-match': tag })
    expect([statusCode, body]).toEqual([304, ''])
  }
})

it.each([
  ['', one.type],
  ['*/*', one.type],
  ['image/png', one.type],
  ['text/csv', other.type],
  ['TEXT/CSV, */*', other.type],
  ['application/*, text/csv', other.type],
  ['application/json;q=0, */*', other.type],
  ['application/*;q=0.9, application/json;q=0.1, text/csv;q=0.5', other.type],
  ['*/*;q=0.5, text/csv', other.type],
  ['application/json;q=0.1, text/csv;q=0.2', other.type],
  ['text/csv;q=0', one.type],
])('Accept: %s selects %s', async (accept, type) => {
  const server = await openServer()
  const { headers } = await server.inject({ url: '/choice', headers: { accept } })
  expect([headers['content-type'], headers.vary]).toEqual([type, 'Accept'])
})

it('a response in only one format has no Vary', async () => {
  const { headers } = await (await openServer()).inject({ url: '/alone', headers: { accept: other.type } })
  expect([headers['content-type'], headers.vary]).toEqual([one.type, undefined])
})
