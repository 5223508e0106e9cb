import { beforeAll, describe, expect, it } from 'vitest'
import { readExact } from '../../support/exact-json.ts'
import {
  hotspot,
  iotReward,
  type MadeLake,
  makeLake,
  mobileReward,
  priced,
} from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

const iot = '/l2/iot-reward-shares'
const mobile = '/l2/mobile-reward-shares'
const bothMonths = 'from=2025-01-01&to=2025-03-01'
const january = 'from=2025-01-01&to=2025-01-31T23:59:59Z'
const february = 'from=2025-02-01&to=2025-02-28'

/** Twenty hotspots on five days of two months; every month lies in a file of its own. */
const days = ['2025-01-10', '2025-01-20', '2025-01-31', '2025-02-01', '2025-02-10']
const iotShares = days.flatMap((day) =>
  Array.from({ length: 20 }, (_, number) => iotReward(day, number, { beacon_amount: 1n })),
)
const mobileShares = days.flatMap((day) =>
  Array.from({ length: 20 }, (_, number) => mobileReward(day, number, { dc_transfer_reward: 3n })),
)

const files = {
  'iot/iot_reward_share.1.gz': iotShares,
  'mobile/mobile_reward_share.1.gz': mobileShares,
  // One bone stands for half a byte.
  'mobile/reward_manifest.2.gz': [priced('mobile_reward_share.1.gz', 2n ** 32n)],
}

let lake: MadeLake
let server: TestServer

beforeAll(async () => {
  lake = await makeLake(files)
  server = await buildTestServer(lake.folder)
})

/** The statements that ran and the files that were read for one answer, and the answer. */
async function workOf(path: string, on = server) {
  const before = on.engine.work()
  const { status, text } = await on.get(path)
  const after = on.engine.work()
  expect(status, text.slice(0, 300)).toBe(200)
  return { statements: after.statements - before.statements, files: after.files - before.files, text }
}

describe('network totals', () => {
  it.each([
    [`${iot}/totals?${bothMonths}`, '"total_beacon_amount":100,'],
    [`${iot}/totals?${january}`, '"total_beacon_amount":60,'],
    [`${iot}/totals?${bothMonths}&reward_type=gateway_reward`, '"total_beacon_amount":100,'],
    [`${iot}/totals?${bothMonths}&reward_type=operational_reward`, '"total_beacon_amount":0,'],
    [`${iot}/totals?from=2030-01-01&to=2031-01-01`, '"total_beacon_amount":0,'],
    [`${mobile}/totals?${bothMonths}`, '"total_offloaded_bytes":200}'],
    [`${mobile}/totals?${february}`, '"total_offloaded_bytes":80}'],
    [`${mobile}/totals?${february}&reward_type=gateway_reward`, '"total_offloaded_bytes":80}'],
    [`${mobile}/totals?from=2025-01-20&to=2025-01-20T00:00:01Z`, '"total_offloaded_bytes":40}'],
  ])('run no statement and read no file: %s', async (path, part) => {
    const { text, ...work } = await workOf(path)
    expect(work).toEqual({ statements: 0, files: 0 })
    expect(text).toContain(part)
  })

  it('of a hotspot run one statement without the index', async () => {
    const { text, ...work } = await workOf(`${iot}/totals?${bothMonths}&hotspot_key=${hotspot(3).text}`)
    expect(work).toEqual({ statements: 1, files: 2 })
    expect(text).toContain('"total_beacon_amount":5,')
  })
})

describe('a page', () => {
  it.each([
    // Beside its ordinal a share has a start, and what its type has.
    ['of gateway rewards', `${iot}?${january}`, 2 + 4],
    ['of gateway rewards, by their type', `${iot}?${january}&reward_type=gateway_reward`, 2 + 4],
    ['over the end of a month', `${iot}?${bothMonths}&page=3`, 2 + 4],
    ['past the end', `${iot}?${bothMonths}&page=400`, 0],
  ])('%s reads the columns of its records that the log does not have', async (_, path, columns) => {
    const before = server.engine.work().columns
    expect((await server.get(path)).status).toBe(200)
    expect(server.engine.work().columns - before).toBe(columns)
  })

  it.each([
    ['the first', `${iot}?${bothMonths}`, { statements: 1, files: 1 }, 25],
    ['in the second month', `${iot}?${bothMonths}&page=4`, { statements: 1, files: 1 }, 25],
    ['over the end of a month', `${iot}?${bothMonths}&page=3`, { statements: 1, files: 2 }, 25],
    ['of everything', `${iot}?${bothMonths}&per_page=100`, { statements: 1, files: 2 }, 100],
    ['of one month', `${iot}?${january}&per_page=100`, { statements: 1, files: 1 }, 60],
    [
      'of one reward type',
      `${mobile}?${bothMonths}&reward_type=gateway_reward&page=2`,
      { statements: 1, files: 1 },
      25,
    ],
    ['past the end', `${iot}?${bothMonths}&page=5`, { statements: 0, files: 0 }, 0],
    [
      'far past the end',
      `${iot}?${bothMonths}&page=9007199254740&per_page=100`,
      { statements: 0, files: 0 },
      0,
    ],
    [
      'of a type that nobody has',
      `${iot}?${bothMonths}&reward_type=operational_reward`,
      { statements: 0, files: 0 },
      0,
    ],
    ['of a time without shares', `${iot}?from=2030-01-01&to=2031-01-01`, { statements: 0, files: 0 }, 0],
  ])('%s reads only the needed rows and columns', async (_, path, expected, records) => {
    const { text, ...work } = await workOf(path)
    expect(work).toEqual(expected)
    expect(readExact<{ records: unknown[] }>(text).records).toHaveLength(records)
  })
})

describe('one hotspot', () => {
  it.each([
    ['over one month out of two reads the file of that month', january, 1, 3],
    ['over the other month reads the other file', february, 1, 2],
    ['over both months reads both files', bothMonths, 2, 5],
  ])('%s', async (_, range, filesRead, records) => {
    const totals = await workOf(`${iot}/totals?${range}&hotspot_key=${hotspot(7).text}`)
    expect(totals.files).toBe(filesRead)
    expect(totals.text).toContain(`"total_beacon_amount":${records},`)
    // A list counts and then reads the rows.
    const list = await workOf(`${iot}?${range}&hotspot_key=${hotspot(7).text}`)
    expect(list.files).toBe(2 * filesRead)
    expect(readExact<{ records: unknown[] }>(list.text).records).toHaveLength(records)
  })

  it('over a month without shares runs one statement to look up the key', async () => {
    const range = 'from=2025-03-01&to=2025-03-31'
    const totals = await workOf(`${iot}/totals?${range}&hotspot_key=${hotspot(7).text}`)
    const list = await workOf(`${iot}?${range}&hotspot_key=${hotspot(7).text}`)
    expect([totals.statements, totals.files, list.statements, list.files]).toEqual([1, 2, 1, 2])
  })

  it('that does not exist runs the count and one lookup in each table that may have it', async () => {
    const { statements } = await workOf(`${iot}?${bothMonths}&hotspot_key=nobody`)
    expect(statements).toBe(1 + 2)
  })
})

describe('sums of offloaded bytes', () => {
  it('are computed before the first request and kept over a restart', async () => {
    const own = await makeLake(files)
    const first = await buildTestServer(own.folder)
    expect(first.engine.work().statements).toBeGreaterThan(0)
    expect((await workOf(`${mobile}/totals?${bothMonths}`, first)).statements).toBe(0)
    await first.close()

    const again = await buildTestServer(own.folder)
    expect(again.engine.work().statements).toBeLessThan(first.engine.work().statements)
    const { text, statements } = await workOf(`${mobile}/totals?${bothMonths}`, again)
    expect(statements).toBe(0)
    expect(text).toContain('"total_offloaded_bytes":200}')
  })

  it('of a new month do not read the months before it', async () => {
    const own = await makeLake(files)
    const first = await buildTestServer(own.folder)
    await first.close()
    await own.add({
      'mobile/mobile_reward_share.8.gz': [mobileReward('2025-03-02', 1, { dc_transfer_reward: 2n })],
      'mobile/reward_manifest.9.gz': [priced('mobile_reward_share.8.gz', 2n ** 32n)],
    })
    const again = await buildTestServer(own.folder)
    // Two files of manifests and the one file of March.
    expect(again.engine.work()).toMatchObject({ statements: 2, files: 3 })
    const { text } = await workOf(`${mobile}/totals?from=2025-01-01&to=2025-04-01`, again)
    expect(text).toContain('"total_offloaded_bytes":201}')
  })

  it('change with a late manifest and with a manifest of another price', async () => {
    const own = await makeLake({ 'mobile/mobile_reward_share.1.gz': mobileShares })
    const bytes = async () => {
      const fresh = await buildTestServer(own.folder)
      const { text } = await workOf(`${mobile}/totals?${bothMonths}`, fresh)
      await fresh.close()
      return /"total_offloaded_bytes":(\d+)/.exec(text)?.[1]
    }
    expect(await bytes()).toBe('0')
    await own.add({ 'mobile/reward_manifest.2.gz': [priced('mobile_reward_share.1.gz', 2n ** 32n)] })
    expect(await bytes()).toBe('200')
    await own.add({ 'mobile/reward_manifest.3.gz': [priced('mobile_reward_share.1.gz', 2n ** 31n)] })
    expect(await bytes()).toBe('300')
  })
})

describe('shared work:', () => {
  it('manifests are read once for many pages', async () => {
    const works = []
    for (const page of [1, 2, 3, 4]) works.push(await workOf(`${mobile}?${bothMonths}&page=${page}`))
    expect(works.map((work) => work.statements)).toEqual([1, 1, 1, 1])
  })

  it('simultaneous equal requests do the work once for each and no more', async () => {
    const before = server.engine.work().statements
    await Promise.all(Array.from({ length: 8 }, () => server.get(`${mobile}/totals?${bothMonths}`)))
    expect(server.engine.work().statements).toBe(before)
  })
})
