import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtExplorer } from '../../support/build-explorer.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { some } from '../../support/some.ts'

interface Manifest {
  readonly id: string
  readonly name: string
  readonly start_url: string
  readonly scope: string
  readonly display: string
  readonly icons: readonly Readonly<Record<'src' | 'sizes' | 'type' | 'purpose', string>>[]
  readonly shortcuts: readonly { readonly url: string }[]
}

/** Width, height and the number of pixels in each colour of a PNG with one bit a pixel. */
function readPng(bytes: Buffer) {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  expect(lines).toHaveLength(height * (1 + width / 8))
  const ones = [...lines].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
  return { width, height, ones, end: bytes.subarray(-8).toString('hex') }
}

describe.each([
  ['', 'http://a.example.org'],
  ['/base', 'https://a.example.org'],
])('the explorer as an app below "%s"', (basePath, origin) => {
  let server: TestServer['server']

  beforeAll(async () => {
    const outside = basePath === '' ? undefined : { origin, basePath }
    const options = { explorer: await builtExplorer(), ...(outside && { outside }) }
    server = (await buildTestServer(await smallLake(), 60_000, undefined, options)).server
  })

  const ask = async (url: string) => await server.inject({ url })

  it('has a manifest on its pages, whose addresses exist below the base path', async () => {
    const { body } = await server.inject({ url: `${basePath}/fleet`, headers: { accept: 'text/html' } })
    const [, address = ''] = /<link rel="manifest" href="([^"]+)">/.exec(body) ?? []
    const { headers, body: text, statusCode } = await ask(address)
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      ...[200, 'application/manifest+json; charset=utf-8', 'no-cache'],
    ])
    const manifest: Manifest = JSON.parse(text)
    expect(manifest).toMatchObject({ name: 'ledgerlake', display: 'standalone', scope: `${basePath}/` })
    const addresses = [manifest.start_url, manifest.id, ...manifest.shortcuts.map(({ url }) => url)]
    for (const url of addresses) {
      expect(url.startsWith(manifest.scope)).toBe(true)
      expect([url, (await ask(url)).statusCode]).toEqual([url, 200])
    }
    // Chromium installs an app with icons of these sizes only.
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512'])
    for (const { src, type } of some(manifest.icons)) {
      const icon = await ask(src)
      expect([icon.statusCode, String(icon.headers['content-type']).split(';')[0]]).toEqual([200, type])
    }
    const [, touch = ''] = /<link rel="apple-touch-icon" href="([^"]+)">/.exec(body) ?? []
    expect((await ask(touch)).statusCode).toBe(200)
    const [, svg = ''] = /<link rel="icon" href="data:image\/svg\+xml,([^"]+)">/.exec(body) ?? []
    expect(decodeURIComponent(svg)).toMatch(/^<svg .*<\/svg>\s*$/)
  })

  it.each([192, 512])('has an icon of %i pixels with three bars', async (size) => {
    const { rawPayload } = await ask(`${basePath}/icon-${size}.png`)
    // Bars of 2 by 3, 6 and 8 on a grid of 16.
    const ones = 2 * (3 + 6 + 8) * (size / 16) ** 2
    expect(readPng(rawPayload)).toEqual({ width: size, height: size, ones, end: '49454e44ae426082' })
    expect(rawPayload.length).toBeLessThan(3000)
  })

  it('has a service worker that is compared on each visit and may contact this server only', async () => {
    const { headers, body } = await ask(`${basePath}/service-worker.js`)
    expect([headers['content-type'], headers['cache-control'], headers['content-security-policy']]).toEqual([
      ...['text/javascript; charset=utf-8', 'no-cache', "default-src 'none'; connect-src 'self'"],
    ])
    const { explorer, files } = await builtExplorer()
    // Another build has other names, so another worker.
    for (const name of some([explorer.script, ...explorer.styles])) expect(body).toContain(name)
    for (const { name } of files.filter(({ name }) => name.startsWith('graphql')))
      expect(body).not.toContain(name)
    expect(body).not.toContain('://')
  })

  it('can be installed without a key', async () => {
    const options = { explorer: await builtExplorer() }
    const gated = await gatedServer(await smallLake(), { options })
    for (const url of ['/manifest.webmanifest', '/icon-192.png', '/service-worker.js'])
      expect([url, (await gated.ask(url)).status]).toEqual([url, 200])
  })
})
