import { describe, expect, it, onTestFinished } from 'vitest'
import { exportFormats } from '../../src/catalog/export-formats.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { servedSql } from '../../src/services/sql.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { readRounded } from '../support/schema-check.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { type Documented, exampleAddress, operationsIn } from '../support/servers/documented.ts'
import { some } from '../support/some.ts'
import { scaled } from '../support/tier.ts'

interface Case {
  readonly method: string
  /** Address without any of the defaults. */
  readonly address: string
  /** Every declared default of the operation, `name=value`. */
  readonly defaults: readonly string[]
}

/** One of the ways to name days, which lists of rewards and statements need, and the owner that earnings need. */
const range = ['from', 'to', 'year']
const payload = { hotspot_keys: ['11pCSNmPiUNvrY1aUQWpjbrThApdhr1afqrnDpbPdfJs2w5jHC8'] }

/** Operations with a declared default; lists once more for each format of a file. */
async function casesOf({ server }: TestServer): Promise<readonly Case[]> {
  const document = readRounded<Documented>((await server.inject('/openapi.json')).body)
  return operationsIn(document).flatMap(({ path, method, operation }) => {
    const { parameters = [] } = operation
    const defaults = parameters.flatMap(({ name, schema }) =>
      schema.default === undefined ? [] : [`${name}=${encodeURIComponent(String(schema.default))}`],
    )
    if (defaults.length === 0) return []
    const needed = path.endsWith('/earnings') ? [...range, 'owner'] : range
    const given = parameters.filter((one) => one.required === true || needed.includes(one.name))
    const address = exampleAddress(path, { ...operation, parameters: given })
    const page = { method, address, defaults }
    if (!defaults.some((one) => one.startsWith('per_page='))) return [page]
    // A list takes the parameters of files too, which are documented at the address of its files.
    const covered = path.includes('reward') || path.includes('transactions') ? ['coverage=false'] : []
    const formats = scaled(exportFormats.slice(0, 1), exportFormats)
    const files = formats.map(({ name }) => ({
      ...{ method, address: withQuery(address, `format=${name}`) },
      defaults: [...defaults, ...covered],
    }))
    return [{ ...page, defaults: [...defaults, 'format=json', ...covered] }, ...files]
  })
}

const withQuery = (address: string, query: string) => `${address}${address.includes('?') ? '&' : '?'}${query}`

describe('a value that equals the declared default', () => {
  it('changes neither the bytes nor the ETag of a response, alone or with the other defaults', async () => {
    const lake = await smallLake()
    const sql = servedSql(readSettings({}, { lake, engine_memory_mb: '256' }))
    onTestFinished(sql.close)
    const options = { openSql: sql.open, isSqlOpen: true }
    const test = await buildTestServer(lake, undefined, undefined, options)
    const cases = some(await casesOf(test))
    for (const { method, address, defaults } of cases) {
      const ask = async (url: string) => {
        const reply = await test.server.inject(
          method === 'post' ? { method: 'POST', url, payload } : { method: 'GET', url },
        )
        return [url, reply.statusCode, reply.headers.etag, reply.rawPayload.toString('base64')]
      }
      const [, ...expected] = await ask(address)
      expect([address, expected[0]]).toEqual([address, 200])
      for (const query of scaled([defaults.join('&')], [...defaults, defaults.join('&')])) {
        const url = withQuery(address, query)
        expect(await ask(url)).toEqual([url, ...expected])
      }
    }
    expect(new Set(cases.flatMap(({ defaults }) => defaults)).size).toBeGreaterThan(8)
  })
})
