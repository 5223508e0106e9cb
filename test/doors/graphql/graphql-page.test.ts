import { beforeAll, describe, expect, it } from 'vitest'
import type { ExplorerFiles } from '../../../src/doors/explorer/built-files.ts'
import { builtExplorer } from '../../support/build-explorer.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { weightsOf } from '../../support/page-weight.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { some } from '../../support/some.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
let explorer: ExplorerFiles
let served: TestServer['server']

beforeAll(async () => {
  explorer = await builtExplorer()
  served = (await buildTestServer(await smallLake(), 60_000, undefined, { explorer })).server
})

const ask = async (url: string, accept = browser) => await served.inject({ url, headers: { accept } })

describe('the page for GraphQL', () => {
  it('is sent to browsers at the address of the endpoint', async () => {
    for (const url of ['/graphql', '/graphql?query={status}']) {
      const { statusCode, headers } = await ask(url)
      expect([statusCode, headers['content-type'], headers.vary]).toEqual([
        ...[200, 'text/html; charset=utf-8', expect.stringMatching(/accept/i)],
      ])
    }
    expect((await ask('/graphql?query={status}', 'application/json')).body).toBe('{"data":{"status":"ok"}}')
  })

  it('loads scripts and styles only of this server', async () => {
    const { headers, body } = await ask('/graphql')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|<style| style="|<script>| on\w+="/)
  })

  it('loads only existing files', async () => {
    const { body } = await ask('/graphql')
    const urls = [...body.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, at = '']) => at)
    expect(urls).toHaveLength(3)
    for (const url of some(urls)) expect([url, (await ask(url)).statusCode]).toEqual([url, 200])
  })

  it('has less than 80 KB with everything that it can load', () => {
    const whole = weightsOf(explorer, explorer.graphql).reduce((sum, bytes) => sum + bytes, 0)
    expect(whole).toBeGreaterThan(10_000)
    expect(whole).toBeLessThan(80_000)
  })
})
