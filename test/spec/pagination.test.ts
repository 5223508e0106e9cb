import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRandom } from '../../src/sample/random.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import { readExact } from '../support/exact-json.ts'
import { dayBefore, hotspot, iotShare, type MadeLake, makeLake } from '../support/make-lake.ts'

const list = '/l2/iot-reward-shares'
const range = 'from=2000-01-01&to=2100-01-01'

interface Meta {
  readonly count: bigint
  readonly total_pages: bigint
  readonly current_page: bigint
  readonly next_page: bigint | null
  readonly prev_page: bigint | null
}

type Detail = Readonly<Record<string, unknown>>

interface Page {
  readonly meta: Meta
  readonly records: readonly { readonly id: string; readonly reward_detail: Detail }[]
}

async function pageOf(server: TestServer, query: string): Promise<Page> {
  const { status, text } = await server.get(`${list}?${query}`)
  expect(status).toBe(200)
  return readExact<Page>(text)
}

describe('a list with 250 matching records', () => {
  let lake: MadeLake
  let server: TestServer

  beforeAll(async () => {
    const shares = Array.from({ length: 250 }, (_, index) =>
      iotShare({
        ...dayBefore('2025-01-29'),
        reward_type: 'gateway_reward',
        hotspot_key: hotspot(index).raw,
        beacon_amount: BigInt(index),
      }),
    )
    lake = await makeLake({ 'iot/iot_reward_share.1.gz': shares })
    server = await buildTestServer(lake.folder)
  })

  afterAll(async () => {
    await server.close()
    await lake.remove()
  })

  it('has count 50, total_pages 5, next_page 3 and prev_page 1 on page 2 of 50', async () => {
    const { text } = await server.get(`${list}?${range}&page=2&per_page=50`)
    expect(text).toMatch(
      /^\{"meta":\{"count":50,"total_pages":5,"current_page":2,"next_page":3,"prev_page":1\},"records":\[\{/,
    )
    expect((await pageOf(server, `${range}&page=2&per_page=50`)).records).toHaveLength(50)
  })

  it.each([
    ['the first page has no page before it', 'page=1&per_page=50', [50n, 5n, 1n, 2n, null], 50],
    ['the last page has no page after it', 'page=5&per_page=50', [50n, 5n, 5n, null, 4n], 50],
    ['without page it is the first', 'per_page=50', [50n, 5n, 1n, 2n, null], 50],
    ['without per_page a page has 25 records', 'page=2', [25n, 10n, 2n, 3n, 1n], 25],
    ['without both it is the first 25', '', [25n, 10n, 1n, 2n, null], 25],
    ['blank values are the defaults', 'page=&per_page=%20', [25n, 10n, 1n, 2n, null], 25],
    ['a page may have 100 records', 'per_page=100', [100n, 3n, 1n, 2n, null], 100],
    ['the last page may be shorter', 'page=3&per_page=100', [50n, 3n, 3n, null, 2n], 50],
    ['a page may have one record', 'page=250&per_page=1', [1n, 250n, 250n, null, 249n], 1],
    [
      'a page past the end is empty and keeps its total_pages',
      'page=6&per_page=50',
      [0n, 5n, 6n, null, 5n],
      0,
    ],
    [
      'far past the end prev_page is the number before',
      'page=999&per_page=50',
      [0n, 5n, 999n, null, 998n],
      0,
    ],
    [
      'the last page that can be asked for is empty',
      'page=9007199254740&per_page=100',
      [0n, 3n, 9007199254740n, null, 9007199254739n],
      0,
    ],
    ['nothing matches is one empty page', 'hotspot_key=nobody', [0n, 1n, 1n, null, null], 0],
    ['past the end of nothing', 'hotspot_key=nobody&page=3', [0n, 1n, 3n, null, 2n], 0],
    ['a reward type that no share has', 'reward_type=operational_reward', [0n, 1n, 1n, null, null], 0],
    ['a filter counts its own matches', `hotspot_key=${hotspot(7).text}`, [1n, 1n, 1n, null, null], 1],
  ] as const)('%s', async (_, query, [count, total_pages, current_page, next_page, prev_page], records) => {
    const page = await pageOf(server, `${range}&${query}`)
    expect(page.meta).toEqual({ count, total_pages, current_page, next_page, prev_page })
    expect(Object.keys(page.meta)).toHaveLength(5)
    expect(page.records).toHaveLength(records)
  })

  it('outside the range of time there is nothing, and that is one page', async () => {
    const page = await pageOf(server, 'from=2025-01-29T00:00:01Z&to=2100-01-01')
    expect(page).toEqual({
      meta: { count: 0n, total_pages: 1n, current_page: 1n, next_page: null, prev_page: null },
      records: [],
    })
  })

  it('the same page twice is the same, byte by byte', async () => {
    const query = `${list}?${range}&page=3&per_page=40`
    expect((await server.get(query)).text).toBe((await server.get(query)).text)
  })
})

/** One share and where it came from; `tag` is its amount and tells it apart. */
interface Written {
  readonly end: bigint
  readonly type: string
  readonly file: string
  readonly hotspot: string | null
  readonly ordinal: number
  readonly tag: bigint
}

describe('pages partition their list in its total order', () => {
  const random = openRandom([20, 25, 1])
  const days = ['2025-01-29', '2025-01-31', '2025-02-01', '2025-02-02', '2025-03-01']
  const fileNames = [
    // Sorted by bytes, not by number: 10 comes before 9, and `iot_network` before `iot_reward`.
    'iot_reward_share.9.gz',
    'iot_reward_share.10.gz',
    'iot_network_reward_shares_v1.11.gz',
    'iot_reward_share.12.gz',
  ]
  const written: Written[] = []
  let lake: MadeLake
  let server: TestServer

  /** A file of shares in no order, over several days and types, with hotspots that come again. */
  function shuffledFile(file: string, rows: number): readonly Uint8Array[] {
    return Array.from({ length: rows }, (_, ordinal) => {
      const period = dayBefore(days[random.below(days.length)] ?? '')
      const type = ['gateway_reward', 'gateway_reward', 'operational_reward', 'unallocated_reward'][
        random.below(4)
      ]
      const { raw, text } = hotspot(random.below(30))
      const tag = BigInt(written.length + 1)
      const isGateway = type === 'gateway_reward'
      const hotspotText = isGateway ? text : null
      written.push({ end: period.end_period, type: type ?? '', file, hotspot: hotspotText, ordinal, tag })
      return isGateway
        ? iotShare({ ...period, reward_type: type, hotspot_key: raw, beacon_amount: tag })
        : iotShare({ ...period, reward_type: type ?? '', amount: tag })
    })
  }

  beforeAll(async () => {
    const [first = '', second = '', third = '', fourth = ''] = fileNames
    // Two commits, so that the rows of one day lie in several files of the lake.
    lake = await makeLake({
      [`iot/${first}`]: shuffledFile(first, 150),
      [`iot/${third}`]: shuffledFile(third, 90),
    })
    await lake.add({
      [`iot/${second}`]: shuffledFile(second, 120),
      [`iot/${fourth}`]: shuffledFile(fourth, 1),
    })
    server = await buildTestServer(lake.folder)
  })

  afterAll(async () => {
    await server.close()
    await lake.remove()
  })

  const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  const compareOrder = (a: Written, b: Written): number =>
    Number(a.end - b.end) ||
    compareText(a.type, b.type) ||
    compareText(a.file, b.file) ||
    Number(a.hotspot !== null) - Number(b.hotspot !== null) ||
    compareText(a.hotspot ?? '', b.hotspot ?? '') ||
    a.ordinal - b.ordinal

  async function walk(
    query: string,
    perPage: number,
  ): Promise<{ tags: bigint[]; ids: string[]; pages: number }> {
    const tags: bigint[] = []
    const ids: string[] = []
    let pages = 0
    for (let page: bigint | null = 1n; page !== null; pages += 1) {
      const { meta, records } = await pageOf(server, `${query}&page=${page}&per_page=${perPage}`)
      expect(meta.count).toBe(BigInt(records.length))
      expect(meta.next_page === null).toBe(meta.current_page === meta.total_pages)
      tags.push(
        ...records.map(({ reward_detail: detail }) => (detail.beacon_amount ?? detail.amount) as bigint),
      )
      ids.push(...records.map((record) => record.id))
      page = meta.next_page
    }
    return { tags, ids, pages }
  }

  it.each([1, 7, 25, 100])('the whole list, %i a page', async (perPage) => {
    const { tags, ids, pages } = await walk(range, perPage)
    expect(tags).toEqual([...written].sort(compareOrder).map((share) => share.tag))
    expect(new Set(ids).size).toBe(361)
    expect(pages).toBe(Math.ceil(361 / perPage))
  })

  it.each(['gateway_reward', 'operational_reward', 'unallocated_reward'])(
    'one reward type, %s',
    async (type) => {
      const own = written.filter((share) => share.type === type)
      expect(own.length).toBeGreaterThan(50)
      const { tags } = await walk(`${range}&reward_type=${type}`, 9)
      expect(tags).toEqual(own.sort(compareOrder).map((share) => share.tag))
    },
  )

  it.each([0, 13, 29])('one hotspot, number %i', async (number) => {
    const { text } = hotspot(number)
    const own = written.filter((share) => share.hotspot === text)
    expect(own.length).toBeGreaterThan(2)
    const { tags } = await walk(`${range}&hotspot_key=${text}`, 2)
    expect(tags).toEqual(own.sort(compareOrder).map((share) => share.tag))
  })

  it.each([
    ['2025-01-31', '2025-02-01'],
    ['2025-02-01T00:00:00.000001Z', '2025-02-02'],
    ['2025-01-29', '2025-01-30T23:59:59.999999Z'],
    ['2025-03-01', '2025-03-02'],
  ])('a range of time, %s to %s', async (from, to) => {
    const [first, last] = [from, to].map(
      (text) => BigInt(Date.parse(text)) * 1000n + (text.endsWith('1Z') ? 1n : 0n),
    )
    const own = written.filter((share) => share.end >= (first ?? 0n) && share.end <= (last ?? 0n))
    expect(own.length).toBeGreaterThan(0)
    const { tags } = await walk(`from=${from}&to=${to}`, 10)
    expect(tags).toEqual(own.sort(compareOrder).map((share) => share.tag))
  })
})
