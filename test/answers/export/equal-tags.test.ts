import { expect, it } from 'vitest'
import { exportFormats } from '../../../src/catalog/export-formats.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { operationsOf } from '../../../src/doors/contract/operations.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

/** A server over a lake of the small network, in a folder and with an engine of its own. */
async function serve(around?: (engine: Engine) => Engine): Promise<TestServer> {
  const folder = await temporaryFolder()
  await copySmallLake(folder)
  return buildTestServer(folder, 60_000, around)
}

/** Texts have neither pages nor messages that could differ. */
const names = exportFormats.map(({ name }) => name).filter((name) => scaled(!/csv|ndjson/.test(name), true))

const operations = operationsOf(resources).flatMap(({ kind, path, resource }) => {
  if (path.includes('{')) return []
  const range = resource.filters?.from?.required ? '?from=2019-01-01&to=2027-01-01' : '?'
  const formats = kind === 'list' ? names.map((name) => `&format=${name}`) : []
  return ['', ...formats].map((format) => `/v1/net${path}${range}${format}`)
})

it('equal strong ETags mean equal bytes, from two servers with different engine reads and other work before', async () => {
  const servers = [await serve(), await serve(({ byRowNumber: _, ...engine }) => engine)]
  const encodings = scaled([undefined], [undefined, 'gzip'])
  const bodies = new Map<string, { readonly bytes: Buffer; readonly path: string }>()
  let compared = 0
  // What one server is asked first the other is asked last, so each reply follows other work.
  for (const [index, server] of servers.entries())
    for (const path of index === 0 ? operations : operations.toReversed())
      for (const encoding of encodings) {
        const headers = encoding === undefined ? {} : { 'accept-encoding': encoding }
        const reply = await server.server.inject({ url: path, headers })
        expect([reply.statusCode, path]).toEqual([200, path])
        const { etag } = reply.headers
        if (etag === undefined) continue
        const before = bodies.get(String(etag))
        if (before === undefined) bodies.set(String(etag), { bytes: reply.rawPayload, path })
        else {
          expect([before.path, before.bytes.equals(reply.rawPayload)]).toEqual([path, true])
          compared += index
        }
      }
  expect(compared).toBe(operations.length * encodings.length)
})
