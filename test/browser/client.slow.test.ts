import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { smallLake } from '../support/lakes/small-lake.ts'
import { browserPath, openBrowser } from '../support/servers/browser.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { onLoopback } from '../support/servers/loopback.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A server of another origin with the example page and the built client beside it. */
async function pageServer(): Promise<string> {
  const types = { 'page.html': 'text/html', 'client.mjs': 'text/javascript' }
  const server = createServer(({ url = '' }, reply) => {
    const [, name = ''] = /^\/([\w.]+)/.exec(url) ?? []
    const type = types[name as keyof typeof types]
    if (type === undefined) return void reply.writeHead(404).end()
    const folder = name === 'page.html' ? 'examples' : 'dist'
    reply.writeHead(200, { 'content-type': type }).end(readFileSync(`${root}${folder}/${name}`))
  })
  return (await onLoopback(server)).origin
}

describe.skipIf(browserPath === undefined)('the client in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  it('shows an exact sum of a server of another origin, and walks its pages', async () => {
    const origin = await pageServer()
    const { server } = await buildTestServer(await smallLake(), 60_000, undefined, { origins: [origin] })
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const url = `${address}/v1/net`
    await page.goto(`${origin}/page.html?url=${encodeURIComponent(url)}`)
    await page.waitForFunction('document.querySelector("output").textContent !== ""')
    expect(await page.textContent('output')).toBe('36403378988914885 bones')
    const walk = `import('./client.mjs').then(async ({ openClient, ClientError }) => {
      const client = openClient({ url: ${JSON.stringify(url)} })
      let rows = 0
      for await (const _ of client.iotRewardShares.rows({ from: '2025-01-28', to: '2025-02-01' })) rows += 1
      const refused = await client.iotRewardShares.page({ from: 'x' }).catch((error) => error)
      return [rows, refused instanceof ClientError, refused.code]
    })`
    expect(await page.evaluate(walk)).toEqual([457, true, 'malformed_request'])
  })
})
