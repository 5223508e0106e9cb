import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { cellToParent } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hotspots } from '../../src/catalog/l2/hotspots.ts'
import { makers } from '../../src/catalog/l2/makers.ts'
import { ingestInto } from '../support/build-lake.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import { readExact } from '../support/exact-json.ts'
import { readExpected, smallNetwork } from '../support/fixtures.ts'
import { hotspotRecord, liveRows, makerRecord, ndjson, writeRecords } from '../support/record-files.ts'
import { makeFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

type Members = Readonly<Record<string, unknown>>
interface Page {
  readonly meta: { readonly count: bigint; readonly total_pages: bigint }
  readonly objects: readonly Members[]
  readonly records: readonly Members[]
}

const fixture = (name: string) => readFileSync(join(smallNetwork, 'l2', `${name}.ndjson`), 'utf8')
const linesOf = (text: string) => text.trim().split('\n')
const recordsOf = (name: string) => linesOf(fixture(name)).map((line) => readExact<Members>(line))
const { counts } = readExpected()

const iotInfo = ['location', 'elevation', 'gain', 'is_full_hotspot', 'num_location_asserts', 'is_active']
const mobileInfo = [
  'location',
  'is_full_hotspot',
  'num_location_asserts',
  'is_active',
  'device_type',
  'antenna',
]
const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]))
const noIot = nulls([...iotInfo, 'dc_onboarding_fee_paid'])
const noMobile = nulls([
  ...[...mobileInfo, 'dc_onboarding_fee_paid', 'azimuth'],
  ...['mechanical_down_tilt', 'electrical_down_tilt'],
])
/** As REST answers a record of the fixtures: a network without a hotspot is an object of nulls. */
const answered = (record: Members): Members => ({
  ...record,
  iot_info: record.iot_info ?? noIot,
  mobile_info: record.mobile_info ?? noMobile,
})

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

describe('makers and hotspots of the small network', () => {
  let server: TestServer
  let remove = async () => {}
  const all = recordsOf('hotspots').map(answered)

  beforeAll(async () => {
    const made = await makeFolder()
    remove = made.remove
    await ingestInto(join(made.folder, 'lake'), [join(smallNetwork, 'l2')])
    server = await buildTestServer(join(made.folder, 'lake'))
  })
  afterAll(async () => {
    await server.close()
    await remove()
  })

  async function ask(path: string): Promise<Page> {
    const { status, text } = await server.get(path)
    expect(status, text).toBe(200)
    return readExact<Page>(text)
  }

  async function allPages(path: string): Promise<readonly Members[]> {
    const found: Members[] = []
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { meta, records } = await ask(`${path}&per_page=100&page=${page}`)
      expect(records).toHaveLength(Number(meta.count))
      last = Number(meta.total_pages)
      found.push(...records)
    }
    return found
  }

  const byName = (records: readonly Members[]) =>
    [...records].sort((a, b) => Buffer.compare(Buffer.from(String(a.name)), Buffer.from(String(b.name))))

  it('are answered as they came, in the order of their names, with every digit', async () => {
    expect(all).toHaveLength(counts.hotspots ?? 0)
    expect(await allPages('/l2/hotspots?')).toEqual(byName(all))
    const { objects } = await ask('/l2/makers')
    expect(objects).toEqual(byName(recordsOf('makers')))
    expect(objects).toHaveLength(counts.makers ?? 0)
  })

  const idOfMaker = (record: Members) => (record.maker as Members | null)?.id
  const filters: Readonly<Record<string, (record: Members) => unknown>> = {
    owner: (record) => record.owner,
    asset_id: (record) => record.asset_id,
    ecc_key: (record) => record.ecc_key,
    maker_id: idOfMaker,
  }

  it.each(Object.entries(filters))('filter: %s', async (name, valueIn) => {
    const values = new Set(all.map(valueIn).filter((value) => value !== undefined))
    expect(values.size).toBeGreaterThan(3)
    for (const value of [...values].slice(0, 12)) {
      const matching = all.filter((record) => valueIn(record) === value)
      expect(await allPages(`/l2/hotspots?${name}=${value}`)).toEqual(byName(matching))
    }
    expect(await allPages(`/l2/hotspots?${name}=nobody`)).toEqual([])
  })

  it.each([['iot'], ['mobile'], ['iot,mobile'], ['mobile,iot']])(
    'hotspots on any of the networks %s match',
    async (given) => {
      const matching = all.filter((record) =>
        (record.networks as readonly string[]).some((network) => given.split(',').includes(network)),
      )
      expect(await allPages(`/l2/hotspots?networks=${given}`)).toEqual(byName(matching))
    },
  )

  it('a maker is matched in any letter case, and filters are combined with AND', async () => {
    const [one] = all.filter((record) => idOfMaker(record) !== undefined)
    const id = String(idOfMaker(one ?? {}))
    const matching = all.filter((record) => idOfMaker(record) === id)
    expect(await allPages(`/l2/hotspots?maker_id=${id.toUpperCase()}`)).toEqual(byName(matching))
    expect(await allPages(`/l2/hotspots?maker_id=${id}&owner=${one?.owner}&networks=iot,mobile`)).toEqual(
      byName(matching.filter((record) => record.owner === one?.owner)),
    )
  })

  const resolutions = Array.from({ length: 16 }, (_, resolution) => resolution)
  const hex = (cell: unknown) => (cell as bigint).toString(16)

  describe.each(['iot', 'mobile'])('%s locations', (network) => {
    const locationOf = (record: Members) => (record[`${network}_info`] as Members).location
    const located = all.filter((record) => locationOf(record) !== null)

    it.each(resolutions)('inside a cell of resolution %i match', async (resolution) => {
      expect(located.length).toBeGreaterThan(20)
      for (const record of located.slice(0, 3)) {
        const own = hex(locationOf(record))
        const cell = resolution <= 12 ? cellToParent(own, resolution) : finerCellInside(own, resolution)
        const matching = located.filter(
          (other) =>
            cellToParent(hex(locationOf(other)), Math.min(resolution, 12)) ===
            cellToParent(cell, Math.min(resolution, 12)),
        )
        expect(matching).toContain(record)
        const found = await allPages(`/l2/hotspots?${network}_location=${BigInt(`0x${cell}`)}`)
        expect(found).toEqual(byName(matching))
      }
    })
  })

  it('are found by id in any letter case and by each key', async () => {
    const [hotspot = {} as Members] = all
    for (const key of [hotspot.id, String(hotspot.id).toUpperCase(), hotspot.asset_id, hotspot.ecc_key]) {
      const { status, text } = await server.get(`/l2/hotspots/${key}`)
      expect([status, readExact(text)]).toEqual([200, hotspot])
    }
    const [maker = {} as Members] = recordsOf('makers')
    for (const key of [maker.id, String(maker.id).toUpperCase(), maker.address])
      expect(readExact((await server.get(`/l2/makers/${key}`)).text)).toEqual(maker)
  })

  it.each([
    ['/l2/hotspots', 'Hotspot not found'],
    ['/l2/makers', 'Maker not found'],
  ])('%s: what nobody has is not found', async (path, error) => {
    const other = path.endsWith('hotspots') ? recordsOf('makers')[0]?.id : all[0]?.id
    for (const key of [other, 'x', 'x'.repeat(400), '00000000-0000-0000-0000-000000000000', "'--"]) {
      const { status, text } = await server.get(`${path}/${encodeURIComponent(String(key))}`)
      expect([status, JSON.parse(text)]).toEqual([404, { error, code: 'not_found' }])
    }
  })
})

/** A finer cell inside one of resolution 12: the bits of its digits are filled with zeros. */
function finerCellInside(cell: string, resolution: number): string {
  let index = BigInt(`0x${cell}`) & ~(15n << 52n)
  for (let finer = 13; finer <= resolution; finer += 1) index &= ~(7n << BigInt((15 - finer) * 3))
  return (index | (BigInt(resolution) << 52n)).toString(16)
}

describe('the same records come in any shape:', () => {
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
        (await liveRows(lake, hotspots)).map(({ source_file: _source, ...row }) => row)
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
      (await liveRows(lake, hotspots)).map(({ maker: _maker, ...row }) => row)
    expect(await rowsOf(other.lake)).toEqual(await rowsOf(plain.lake))
  })

  it('files of records of nothing known, or none at all, are left aside', async () => {
    const { summary, folder } = await newLake({
      'expected.json': '{"queries":[{"asset_id":"x"}]}',
      'accounts.ndjson': '{"address":"a","balance":5}\n',
      'broken.json': '{"address',
      'empty.json': '',
      'makers.txt': '[]',
    })
    expect(summary.read).toBe(0)
    expect(summary.unknown).toHaveLength(5)
    expect(summary.unknown[0]).toBe(join(folder, 'accounts.ndjson'))
  })

  it('a name that says nothing is told by the first record', async () => {
    const { lake, summary } = await newLake({
      'a.ndjson': ndjson([makerRecord('1')]),
      'b.json': JSON.stringify([hotspotRecord('2')]),
    })
    expect(summary).toMatchObject({ stored: 2, unknown: [] })
    expect(await liveRows(lake, makers, ['address'])).toEqual([{ address: '1' }])
    expect(await liveRows(lake, hotspots, ['asset_id'])).toEqual([{ asset_id: '2' }])
  })
})

describe('what an import leaves out', () => {
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

  it('an id is kept in lower case when it is there, and else leads to its record', async () => {
    const id = 'ABCDEF00-1111-4222-8333-444455556666'
    const address = '7R7jL5pQs8ugvinTBiLmdeqYZDmobTY86xVbwvsykYs'
    await withServer({ 'makers.json': [makerRecord('1', { id }), makerRecord(address)] }, async (get) => {
      expect(await get('/l2/makers/1')).toMatchObject({ id: id.toLowerCase() })
      const follows = await get(`/l2/makers/${address}`)
      expect(follows.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(await get(`/l2/makers/${follows.id}`)).toEqual(follows)
    })
  })

  it('networks follow from the objects that say something', async () => {
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

  it('a maker that is not known is embedded as it came, and by its own record once it is', async () => {
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

  it('members that are not known are left aside, inherited ones do not count', async () => {
    const line = `{"__proto__":{"dao":"inherited"},"more":[1],${JSON.stringify(makerRecord('1')).slice(1)}`
    const without = line.replace('"dao":"dao"', '"other":"dao"')
    const { summary, lake } = await newLake({ 'makers.json': `${line}\n${without}\n` })
    expect(summary).toMatchObject({ rows: 1, refusedRows: 1 })
    expect(await liveRows(lake, makers, ['dao'])).toEqual([{ dao: 'dao' }])
  })
})
