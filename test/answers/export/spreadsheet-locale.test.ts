import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer(await smallLake())
})

const range = 'from=2025-01-28&to=2025-02-01'
const list = `/l2/iot-reward-shares?${range}`
const series = `/l2/iot-reward-shares/totals/series?${range}&group_by=hotspot&limit=1000`

type Row = Readonly<Record<string, string>>
const rowsOf = (text: string, delimiter: string): readonly Row[] =>
  parse(text, { columns: true, delimiter, bom: true })

/** Members with exact decimals. */
const decimals = /^(formatted_.*|price_usd|usd)$/

describe.each([
  ['a list', list],
  ['a series', series],
])('%s for spreadsheets', (_, path) => {
  it('in German has semicolons, decimal commas, a byte order mark, and every digit', async () => {
    const { status, text, headers } = await server.get(`${path}&format=spreadsheet&locale=de`)
    expect(status, text).toBe(200)
    expect([...text.slice(0, 1)].map((character) => character.codePointAt(0))).toEqual([0xfeff])
    const rows = rowsOf(text, ';')
    const plain = rowsOf((await server.get(`${path}&format=csv`)).text, ',')
    expect(rows.length).toBeGreaterThan(100)
    expect(rows).toEqual(
      plain.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, cell]) => [
            name,
            decimals.test(name) ? cell.replace('.', ',') : cell,
          ]),
        ),
      ),
    )
    const withComma = rows.filter(({ usd }) => /^\d+,\d{12,16}$/.test(usd ?? ''))
    expect(withComma.length).toBeGreaterThan(10)
    expect(headers['content-disposition']).toMatch(/\.csv"$/)
  })

  it('in English has points and a byte order mark', async () => {
    const { text } = await server.get(`${path}&format=spreadsheet&locale=en`)
    expect(text).toBe(`\uFEFF${(await server.get(`${path}&format=spreadsheet`)).text}`)
  })

  it('has another ETag in each language', async () => {
    const tags = ['', '&locale=de', '&locale=en'].map(
      async (locale) => (await server.get(`${path}&format=spreadsheet${locale}`)).headers.etag,
    )
    expect(new Set(await Promise.all(tags)).size).toBe(3)
  })

  it.each([
    ['format=spreadsheet&locale=xx', 'locale is "xx"; use one of en, cs, da, de'],
    ['format=csv&locale=de', 'locale is of format=spreadsheet; add that, or leave locale out'],
    ['locale=de', 'locale is of format=spreadsheet'],
  ])('refuses %s', async (query, sentence) => {
    const { status, text } = await server.get(`${path}&${query}`)
    expect([status, JSON.parse(text).error]).toEqual([422, expect.stringContaining(sentence)])
  })
})
