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

  // What the corpus does not ask.
  it.each([
    ['the last page that can be asked for', `${range}&page=9007199254740&per_page=100`, 4n, 9007199254740n],
    ['a range behind all shares', 'from=2025-03-01T00:00:01Z&to=2100-01-01', 1n, 1n],
  ])('%s is empty', async (_, query, total_pages, current_page) => {
    expect(await pageOf(server, query)).toEqual({
      meta: { count: 0n, total_pages, current_page, next_page: null, prev_page: current_page - 1n || null },
      records: [],
    })
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
