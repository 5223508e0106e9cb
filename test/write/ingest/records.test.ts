import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import { makers } from '../../../src/catalog/l2/makers.ts'
import { readExact } from '../../support/exact-json.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { hotspotRecord, makerRecord, ndjson, writeRecords } from '../../support/messages/record-files.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { readTable } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

type Members = Readonly<Record<string, unknown>>
interface Page {
  readonly records: readonly Members[]
}

const fixture = (name: string) => readFileSync(join(smallNetwork, 'l2', `${name}.ndjson`), 'utf8')
const linesOf = (text: string) => text.trim().split('\n')
/** A network without a hotspot, as REST answers it. */
const noIot = { location: null, gain: null, is_full_hotspot: null }
const noMobile = { location: null, antenna: null, is_active: null }

async function newLake(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const lake = join(folder, 'lake')
  const take = () =>
    ingestInto(
      lake,
      Object.keys(files).map((name) => join(folder, name)),
    )
  return { folder, lake, take, summary: await take() }
}

describe('the same records are stored from any shape:', () => {
  const text = fixture('hotspots')
  const lines = linesOf(text)
  const half = Math.floor(lines.length / 2)
  const page = (records: readonly string[]) =>
    `{"meta":{"count":${records.length},"pagination":{"next_page":null}},"records":[${records.join(',')}]}`
  const shapes: Readonly<Record<string, { file: string; content: string | Uint8Array }>> = {
    'one a line, packed': { file: 'hotspots.jsonl.gz', content: gzipSync(text) },
    'with CRLF, blank lines and no end of line': {
      file: 'hotspots.ndjson',
      content: `\r\n${lines.join('\r\n\r\n')}`,
    },
    'behind a byte-order mark': { file: 'hotspots.json', content: `\ufeff${text}` },
    'a list': { file: 'hotspots-2025.json', content: `\n [${lines.join(',\n')}] \n` },
    'a list behind a byte-order mark': { file: 'hotspots-2025.json', content: `\ufeff[${lines.join(',')}]` },
    'a list over many lines': {
      file: 'hotspots.json',
      content: `[${lines.map((line) => line.replaceAll('": ', '":\n\t ')).join('\n,\n')}]`,
    },
    'a page of REST': { file: 'hotspots.json', content: page(lines) },
    'a page without meta': {
      file: 'hotspots.json',
      content: `{ "objects" : [${lines.join(',')}] , "meta": {"a":"]}"} }`,
    },
    'several pages': {
      file: 'hotspots.ndjson',
      content: `${page(lines.slice(0, half))}\n${page(lines.slice(half))}\n`,
    },
    'under a name that says nothing': { file: 'export.json.gz', content: gzipSync(`[${lines.join(',')}]`) },
  }

  it.each(Object.entries(shapes).filter((_, place) => place % scaled(2, 1) === 0))(
    '%s',
    async (_shape, { file, content }) => {
      const [plain, other] = [await newLake({ 'hotspots.ndjson': text }), await newLake({ [file]: content })]
      expect(other.summary).toMatchObject({ stored: 1, rows: 120, refusedRows: 0, failed: [], unknown: [] })
      const rowsOf = async (lake: string) =>
        (await readTable(lake, hotspots.name)).map(({ source_file: _source, ...row }) => row)
      expect(await rowsOf(other.lake)).toEqual(await rowsOf(plain.lake))
    },
  )

  it('an export with its integers as text', async () => {
    const quoted = lines.map((line) => line.replace(/": (\d+)/g, '": "$1"'))
    expect(quoted[0]).toContain('"location": "6')
    const [plain, other] = [
      await newLake({ 'hotspots.ndjson': text }),
      await newLake({ 'hotspots.ndjson': quoted.join('\n') }),
    ]
    const rowsOf = async (lake: string) =>
      (await readTable(lake, hotspots.name)).map(({ maker: _maker, ...row }) => row)
    expect(await rowsOf(other.lake)).toEqual(await rowsOf(plain.lake))
  })

  it('files of unknown records or without records fail if named, and are listed in a folder', async () => {
    const { summary, folder } = await newLake({
      'expected.json': '{"queries":[{"asset_id":"x"}]}',
      'accounts.ndjson': '{"address":"a","balance":5}\n',
      'broken.json': '{"address',
      'empty.json': '',
      'makers.txt': '[]',
    })
    expect(summary).toMatchObject({ read: 5, stored: 0, unknown: [] })
    const refused = (name: string) => summary.failed.find(({ path }) => path === join(folder, name))?.reason
    for (const name of ['expected.json', 'accounts.ndjson', 'broken.json', 'empty.json', 'makers.txt'])
      expect(refused(name)).toContain('its kind is not known by its name or its content')
    const whole = await ingestInto(join(folder, 'other'), [folder])
    expect(whole.unknown.length).toBeGreaterThanOrEqual(5)
    expect(whole.failed).toEqual([])
  })

  it('a file with an unknown name gets its kind from its first record', async () => {
    const { lake, summary } = await newLake({
      'a.ndjson': ndjson([makerRecord('1')]),
      'b.json': JSON.stringify([hotspotRecord('2')]),
    })
    expect(summary).toMatchObject({ stored: 2, unknown: [] })
    expect(await readTable(lake, makers.name, ['address'])).toEqual([{ address: '1' }])
    expect(await readTable(lake, hotspots.name, ['asset_id'])).toEqual([{ asset_id: '2' }])
  })
})

describe('an import', () => {
  const withServer = async (
    files: Readonly<Record<string, readonly Members[]>>,
    work: (get: (path: string) => Promise<Members>) => Promise<void>,
  ) => {
    const { lake, summary } = await newLake(
      Object.fromEntries(Object.entries(files).map(([name, records]) => [name, ndjson(records)])),
    )
    expect(summary.failed).toEqual([])
    const server = await buildTestServer(lake)
    try {
      await work(async (path) => readExact((await server.get(path)).text))
    } finally {
      await server.close()
    }
  }

  it('stores an id in lower case, or derives one from the record', async () => {
    const id = 'ABCDEF00-1111-4222-8333-444455556666'
    const address = '7R7jL5pQs8ugvinTBiLmdeqYZDmobTY86xVbwvsykYs'
    await withServer({ 'makers.json': [makerRecord('1', { id }), makerRecord(address)] }, async (get) => {
      expect(await get('/l2/makers/1')).toMatchObject({ id: id.toLowerCase() })
      const follows = await get(`/l2/makers/${address}`)
      expect(follows.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(await get(`/l2/makers/${follows.id}`)).toEqual(follows)
    })
  })

  it('derives the networks from the objects with content', async () => {
    const { networks: _networks, ...bare } = hotspotRecord('0')
    const cases: readonly (readonly [Members, readonly string[]])[] = [
      [{}, []],
      [{ iot_info: null, mobile_info: noMobile }, []],
      [{ iot_info: { gain: 12 } }, ['iot']],
      [{ iot_info: noIot, mobile_info: { is_active: false } }, ['mobile']],
      [{ iot_info: { elevation: 0 }, mobile_info: { antenna: 0 } }, ['iot', 'mobile']],
    ]
    const records = cases.map(([more], at) => ({ ...bare, ...more, asset_id: String(at) }))
    await withServer({ 'hotspots.json': records }, async (get) => {
      for (const [at, [, networks]] of cases.entries())
        expect((await get(`/l2/hotspots/${at}`)).networks).toEqual(networks)
    })
  })

  it('embeds an unknown maker as received, and later its own record', async () => {
    const id = 'cef2b0e8-1e32-470a-8226-379d9ae04c9d'
    const brought = { id: id.toUpperCase(), address: 'M', name: 'As it came', bump_seed: 9007199254740993n }
    const text = (record: Members) =>
      JSON.stringify(record, (_name, value) => (typeof value === 'bigint' ? `#${value}#` : value)).replace(
        /"#(\d+)#"/g,
        '$1',
      )
    const { lake, folder } = await newLake({
      'hotspots.json': [
        text(hotspotRecord('1', { maker: brought })),
        text(hotspotRecord('2', { maker: { address: 'N', name: 'Without an id' } })),
        text(hotspotRecord('3', { maker: null })),
      ].join('\n'),
    })
    const makersOf = async () => {
      const server = await buildTestServer(lake)
      const { records } = readExact<Page>((await server.get('/l2/hotspots')).text)
      const { records: own } = readExact<Page>((await server.get(`/l2/hotspots?maker_id=${id}`)).text)
      await server.close()
      expect(own.map((record) => record.asset_id)).toEqual(['1'])
      return records.map((record) => record.maker)
    }
    expect(await makersOf()).toEqual([brought, { address: 'N', name: 'Without an id' }, null])
    writeRecords(join(folder, 'makers.json'), [makerRecord('M', { id, name: 'Known' }), makerRecord('N')])
    await ingestInto(lake, [folder])
    expect(await makersOf()).toMatchObject([
      { id, address: 'M', name: 'Known', bump_seed: 255n },
      { address: 'N', name: 'Maker N' },
      null,
    ])
  })

  it('ignores unknown and inherited members', async () => {
    const line = `{"__proto__":{"dao":"inherited"},"more":[1],${JSON.stringify(makerRecord('1')).slice(1)}`
    const without = line.replace('"dao":"dao"', '"other":"dao"')
    const { summary, lake } = await newLake({ 'makers.json': `${line}\n${without}\n` })
    expect(summary).toMatchObject({ rows: 1, refusedRows: 1 })
    expect(await readTable(lake, makers.name, ['dao'])).toEqual([{ dao: 'dao' }])
  })
})
