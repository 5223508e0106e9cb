import { once } from 'node:events'
import { copyFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHttpServer } from '../../../src/doors/http/http-server.ts'
import { openRequestCounter } from '../../../src/doors/http/open-requests.ts'
import { openCertificate } from '../../../src/doors/http/tls.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait.ts'

const kept = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))
let folder: string
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await temporaryFolder()
  for (const part of ['crt', 'key']) copyFileSync(kept(`first.${part}`), at(`own.${part}`))
  writeFileSync(at('text'), 'not PEM')
})

/** The body of a page, and whose certificate it came by. */
async function ask(port: number, path: string) {
  const asked = request({ port, path, host: '127.0.0.1', rejectUnauthorized: false, agent: false }).end()
  const [reply] = await once(asked, 'response')
  const { alpnProtocol } = asked.socket as TLSSocket
  const name = (asked.socket as TLSSocket).getPeerCertificate().subject.CN
  let body = ''
  for await (const text of reply.setEncoding('utf8')) body += text
  return { status: reply.statusCode, body, name, alpnProtocol }
}

describe('HTTPS', () => {
  it('answers as HTTP does, and takes a new certificate when both files have changed', async () => {
    const lines: string[] = []
    const certificate = await openCertificate(at('own.crt'), at('own.key'), 20)
    const { server } = await buildTestServer(await smallLake(), 60_000, undefined, {
      certificate,
      log: { access: false, write: (line) => lines.push(line) },
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.server.address() as AddressInfo
    const text = await ask(port, '/llms.txt')
    expect(text).toMatchObject({ status: 200, name: 'first.example.org', alpnProtocol: false })
    expect(text.body).toContain(`The base address is https://127.0.0.1:${port}.`)

    copyFileSync(kept('second.crt'), at('own.crt'))
    await waitFor(() => expect(lines.join('')).toContain('does not belong to the certificate'))
    expect(lines.join('')).toContain('HTTPS goes on with the certificate of before.')
    expect((await ask(port, '/healthz')).name).toBe('first.example.org')

    copyFileSync(kept('second.key'), at('own.key'))
    await waitFor(async () => expect((await ask(port, '/healthz')).name).toBe('second.example.org'))
  })

  it('closes a connection whose handshake exceeds the request timeout', async () => {
    const certificate = await openCertificate(kept('first.crt'), kept('first.key'))
    const server = createHttpServer(50, () => {}, certificate).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    // The beginning of a hello.
    socket.on('error', () => {}).write(Buffer.from('16030100a501', 'hex'))
    await once(socket.resume(), 'close')
    server.close()
    expect(socket.bytesRead).toBe(0)
  })

  it('answers plain HTTP with a readable 400', async () => {
    const certificate = await openCertificate(kept('first.crt'), kept('first.key'))
    const { server } = await buildTestServer(await smallLake(), 60_000, undefined, { certificate })
    await server.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const reply = (await socket.setEncoding('utf8').toArray()).join('')
    expect(reply).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n.*"The request is plain HTTP, and this port speaks HTTPS\./s,
    )
  })

  it('counts requests in flight, so that a stopping server answers them', async () => {
    const certificate = await openCertificate(kept('first.crt'), kept('first.key'))
    const { server } = await buildTestServer(await smallLake(), 60_000, undefined, { certificate })
    const answering = openRequestCounter(server)
    let counted = -1
    server.addHook('onSend', async () => {
      counted = answering()
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    await ask((server.server.address() as AddressInfo).port, '/healthz')
    expect(counted).toBe(1)
    await waitFor(() => expect(answering()).toBe(0))
  })

  it.each([
    ['first.crt', '', 'HTTPS needs both --tls-cert and --tls-key; name the private key too.'],
    ['', 'first.key', 'HTTPS needs both --tls-cert and --tls-key; name the certificate too.'],
    ['missing', 'first.key', /^--tls-cert cannot be read: no such file or folder: .*missing\.$/],
    ['first.crt', 'missing', /^--tls-key cannot be read: no such file or folder: .*missing\.$/],
    [
      'text',
      'first.key',
      /text is not a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----\.$/,
    ],
    ['first.crt', 'text', /text is not a private key in PEM without a passphrase\.$/],
    [
      'first.crt',
      'second.key',
      /^The private key in .*second\.key does not belong to the certificate in .*first\.crt\.$/,
    ],
  ])('refuses certificate %j with key %j', async (cert, key, sentence) => {
    const place = (name: string) => (name === '' ? '' : /\./.test(name) ? kept(name) : at(name))
    await expect(openCertificate(place(cert), place(key))).rejects.toThrow(sentence)
  })

  it('is off without files', async () => {
    expect(await openCertificate('', '')).toBeUndefined()
  })
})
