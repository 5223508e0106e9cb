import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Value } from '../../src/catalog/column.ts'
import { openDuckdbRowWriter } from '../../src/engine/duckdb/duckdb-row-writer.ts'
import { artifactKinds } from '../../src/ingest/artifact.ts'
import { type RetryRequest, retryRejects } from '../../src/ingest/retry.ts'
import { Lake } from '../../src/lake/lake.ts'
import type { RowWriter } from '../../src/lake/row-writer.ts'
import { lakeStatus } from '../../src/lake/status.ts'
import { ingestInto } from '../support/build-lake.ts'
import { buildTestServer } from '../support/build-test-server.ts'
import { readEntries } from '../support/delta-table.ts'
import { readExpected, smallNetwork } from '../support/fixtures.ts'
import { hotspot } from '../support/make-lake.ts'
import { olderBuild } from '../support/older-build.ts'
import { dayEnd, dec, frameFile, len, message, num, operational, period } from '../support/oracle-messages.ts'
import { answersOf, liveRows, readAnswers } from '../support/read-answers.ts'
import { versionOf } from '../support/read-table.ts'
import { makeFolder, temporaryFolder } from '../support/temporary-folder.ts'

const DAY = 86_400
/** Period ends: the last two days of January and the first of February. */
const ends = [dayEnd - 2 * DAY, dayEnd - DAY, dayEnd] as const
const a = 'iot_reward_share.1738371600001.gz'
const b = 'iot_reward_share.1738371600002.gz'
const shares = 'mobile_reward_share.1738371600003.gz'

/** Hotspots in the order of their texts, which is that of the table. */
const hotspots = [7, 3, 9, 1, 5, 2, 8]
  .map(hotspot)
  .sort((x, y) => Buffer.compare(Buffer.from(x.text), Buffer.from(y.text)))
const iotGateway = (end: number, key: Uint8Array, amount: number) =>
  message(period(end), len(3, len(1, key), num(2, amount), num(3, 2n ** 63n)))
const mobileGateway = (key: Uint8Array, amount: number) =>
  message(period(), len(4, len(1, key), num(2, amount), num(3, 5), num(4, 6)))

/** Messages in no order of the table: days and variants take turns, hotspots run backwards. */
const iotMessages = [...hotspots]
  .reverse()
  .flatMap(({ raw }, number) =>
    ends.flatMap((end, day) => [
      iotGateway(end, raw, 10 * number + day),
      operational(1000 + number, end),
      message(period(end), len(5, num(1, number % 4), num(2, 2n ** 64n - 1n))),
    ]),
  )
const mobileMessages = hotspots.flatMap(({ raw }, number) => [
  mobileGateway(raw, 100 + number),
  message(period(), len(8, len(1, raw), num(7, 11 + number), dec(3, `${number}.5`))),
  message(period(), len(7, num(1, 1), num(2, 50 + number))),
])
const files: Readonly<Record<string, readonly Uint8Array[]>> = {
  [a]: iotMessages,
  [b]: iotMessages.slice(4, 30).reverse(),
  [shares]: mobileMessages,
  'reward_manifest.1738371600004.gz': [
    message(
      len(1, shares),
      num(2, dayEnd - DAY),
      num(3, dayEnd),
      len(4, num(4, 1)),
      num(6, 20119),
      num(7, 3),
    ),
  ],
}

const all = { from: '2025-01-01', to: '2025-03-01' }
const queries = ['/l2/iot-reward-shares', '/l2/mobile-reward-shares'].flatMap((list) =>
  [
    { ...all, per_page: '3' },
    { ...all, per_page: '100' },
    { from: '2025-01-31', to: '2025-02-01', per_page: '4' },
    ...['gateway_reward', 'operational_reward', 'unallocated_reward', 'radio_reward_v2'].map(
      (reward_type) => {
        return { ...all, reward_type, per_page: '2' }
      },
    ),
    { ...all, hotspot_key: hotspots[3]?.text ?? '', per_page: '2' },
  ].map((params) => [list, params] as const),
)

type DecodedRow = Readonly<Record<string, Value>>
const key = (place: number) => (row: DecodedRow) => row.hotspot_key === hotspots.at(place)?.text
const day = (number: 0 | 1 | 2) => (row: DecodedRow) => row.end_period === BigInt(ends[number]) * 1_000_000n
const inFebruary = day(2)

let input: string
let fresh: string
let remove: () => Promise<void>
let freshAnswers: Readonly<Record<string, string>>
let freshRows: Awaited<ReturnType<typeof liveRows>>

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  input = join(made.folder, 'in')
  mkdirSync(input)
  for (const [name, messages] of Object.entries(files)) writeFileSync(join(input, name), frameFile(messages))
  fresh = join(made.folder, 'fresh')
  await ingestInto(fresh, [input])
  freshAnswers = await answersOf(fresh, queries)
  freshRows = await liveRows(fresh)
})

afterAll(() => remove())

const openWriter = (spillFolder: string) => openDuckdbRowWriter({ spillFolder, memoryMb: 256, threads: 2 })
const retry = (lake: string, more: Partial<RetryRequest> = {}) =>
  retryRejects({ lake, kinds: artifactKinds, openWriter, ...more })

/** A lake of the same files by an older build. */
async function olderLake(refuses: (row: DecodedRow) => boolean, paths = [input]) {
  const lake = join(await temporaryFolder(), 'lake')
  const summary = await ingestInto(lake, paths, { maxRejects: 1000, openReader: olderBuild(refuses) })
  expect(summary.failed).toEqual([])
  expect(summary.refusedRows).toBeGreaterThan(0)
  return { lake, refused: summary.refusedRows }
}

async function countsOf(lake: string) {
  const { tables } = lakeStatus(await new Lake(lake).latest())
  return Object.fromEntries(tables.map(({ table, rows, refused }) => [table, { rows, refused }]))
}

const versions = (lake: string) =>
  ['iot_reward_shares', 'mobile_reward_shares', 'rejects'].map((table) => versionOf(lake, table))

/** What a run has left behind of its staging. */
function stagedIn(lake: string): readonly string[] {
  const folder = join(lake, '_staging')
  return existsSync(folder) ? readdirSync(folder) : []
}

async function expectFresh(lake: string): Promise<void> {
  expect(await answersOf(lake, queries)).toEqual(freshAnswers)
  const rows = await liveRows(lake)
  const sorted = (tables: typeof rows) =>
    Object.fromEntries(
      Object.entries(tables).map(([table, own]) => [
        table,
        own.map((row) => Object.entries(row).join()).sort(),
      ]),
    )
  expect(sorted(rows)).toEqual(sorted(freshRows))
  const none = { rejects: { rows: 0, refused: 0 } }
  expect({ ...(await countsOf(lake)), ...none }).toEqual({ ...(await countsOf(fresh)), ...none })
  expect(stagedIn(lake)).toEqual([])
}

describe('after a retry a lake answers and holds, row by row, what one of this build does, when an older one refused', () => {
  it.each<[string, (row: DecodedRow) => boolean]>([
    ['the first row of every group', key(0)],
    ['a row in the middle of every group', key(3)],
    ['the last row of every group', key(-1)],
    ['every row but one in the middle', (row) => !key(3)(row)],
    ['a whole variant', (row) => row.reward_type === 'operational_reward'],
    ['variants at the beginning and end', (row) => row.reward_type !== 'operational_reward'],
    ['one group', (row) => row.reward_type === 'gateway_reward' && day(1)(row)],
    ['all of a month, which then has no file', inFebruary],
    ['all but one month', (row) => !inFebruary(row)],
    ['some of both months', (row) => key(1)(row) || key(5)(row)],
    ['everything', () => true],
  ])('%s', async (_what, refuses) => {
    const { lake, refused } = await olderLake(refuses)
    const before = versions(lake)
    expect(await retry(lake)).toMatchObject({ rejects: refused, taken: refused, refused: 0 })
    const [iot = 0, mobile = 0, rejects] = before
    expect(versions(lake)).toEqual([iot + 1, expect.any(Number), rejects])
    expect(versions(lake)[1]).toBeLessThanOrEqual(mobile + 1)
    await expectFresh(lake)
  })

  it('a source of which all rows were refused, in a month of others', async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    await ingestInto(lake, [
      join(input, a),
      join(input, shares),
      join(input, 'reward_manifest.1738371600004.gz'),
    ])
    await ingestInto(lake, [join(input, b)], { maxRejects: 1000, openReader: olderBuild(() => true) })
    expect((await countsOf(lake)).iot_reward_shares?.refused).toBe(26)
    expect(await retry(lake)).toMatchObject({ rejects: 26, taken: 26, refused: 0 })
    await expectFresh(lake)
  })

  it('rows of every message in three, by the sums of a network that another encoder wrote', async () => {
    let count = 0
    const { lake, refused } = await olderLake(() => count++ % 3 === 0, [smallNetwork])
    expect(await retry(lake)).toMatchObject({ rejects: refused, taken: refused })
    const { queries: expected, counts } = readExpected()
    const server = await buildTestServer(lake)
    onTestFinished(server.close)
    for (const { network, params, totals } of expected) {
      const { text } = await server.get(`/l2/${network}-reward-shares/totals?${new URLSearchParams(params)}`)
      for (const [name, digits] of Object.entries(totals)) expect(text).toContain(`"${name}":${digits}`)
    }
    const held = await countsOf(lake)
    expect(held.rejects?.rows).toBe(0)
    for (const [table, rows] of Object.entries(counts))
      if (table in held) expect(held[table]?.rows).toBe(rows)
  })
})

describe('a retry', () => {
  it('is followed by a server that had summed offloaded bytes before', async () => {
    const { lake } = await olderLake(key(2))
    const server = await buildTestServer(lake, 10)
    onTestFinished(server.close)
    const totals = `/l2/mobile-reward-shares/totals?${new URLSearchParams(all)}`
    const before = (await server.get(totals)).text
    expect(before).toMatch(/offloaded_bytes":[1-9]/)
    await retry(lake)
    await expect.poll(async () => (await server.get(totals)).text, { timeout: 5000 }).not.toBe(before)
    expect(await readAnswers(server, queries)).toEqual(freshAnswers)
  })

  it('that is repeated finds nothing and commits nothing', async () => {
    const { lake, refused } = await olderLake(key(0))
    expect(await retry(lake)).toMatchObject({ taken: refused })
    const after = versions(lake)
    expect(await retry(lake)).toMatchObject({ rejects: 0, taken: 0, refused: 0 })
    expect(versions(lake)).toEqual(after)
    await expectFresh(lake)
  })

  it('by a build that is still too old leaves what it cannot store, and a newer one takes in the rest', async () => {
    const { lake } = await olderLake((row) => key(0)(row) || key(4)(row) || key(5)(row))
    // Of the fifth hotspot three shares in each IoT file, and two in the Mobile file.
    const older = { openReader: olderBuild(key(4)) }
    expect(await retry(lake, older)).toMatchObject({ rejects: 21, taken: 13, refused: 8 })
    const counts = await countsOf(lake)
    expect(counts.iot_reward_shares?.refused).toBe(6)
    expect(counts.mobile_reward_shares?.refused).toBe(2)
    expect(counts.rejects?.rows).toBe(8)
    expect(await retry(lake, older)).toMatchObject({ rejects: 8, taken: 0, refused: 8 })
    expect(await retry(lake)).toMatchObject({ rejects: 8, taken: 8, refused: 0 })
    await expectFresh(lake)
  })

  it('of some kinds leaves the rejects of the others', async () => {
    const { lake } = await olderLake(key(0))
    await retry(lake, { kinds: ['iot_reward_share'] })
    const { iot_reward_shares: iot, mobile_reward_shares: mobile } = await countsOf(lake)
    expect([iot?.refused, mobile?.refused]).toEqual([0, 2])
  })

  it('takes in manifests of both networks, of one name, and witness reports', async () => {
    const folder = await temporaryFolder()
    const manifest = (reward: Buffer, time: number) =>
      message(num(2, dayEnd - DAY), num(3, dayEnd), reward, num(7, time))
    const report = (time: number) =>
      message(num(1, time), len(2, len(2, hotspots[0]?.raw ?? ''), len(3, 'x'), num(4, time * 1_000_000)))
    const name = 'network_reward_manifest_v1.1738371600009.gz'
    const more: Readonly<Record<string, readonly Buffer[]>> = {
      [`iot/${name}`]: [manifest(len(5, dec(1, '1.5')), 7)],
      [`mobile/${name}`]: [manifest(len(4, dec(1, '2.5')), 8)],
      'iot_witness_ingest_report.1738371600010.gz': [5, 3, 9, 1, 7].map((step) =>
        report((dayEnd - DAY + step) * 1000),
      ),
    }
    for (const [path, messages] of Object.entries(more)) {
      mkdirSync(join(folder, 'in', path, '..'), { recursive: true })
      writeFileSync(join(folder, 'in', path), frameFile(messages))
    }
    const today = join(folder, 'today')
    expect(await ingestInto(today, [join(folder, 'in')])).toMatchObject({ rows: 7, refusedRows: 0 })
    const isNinth = (row: DecodedRow) => row.received_at === BigInt(dayEnd - DAY + 9) * 1_000_000n
    for (const refuses of [() => true, (row: DecodedRow) => row.reward_type === 'mobile' || isNinth(row)]) {
      const { lake, refused } = await olderLake(refuses, [join(folder, 'in')])
      expect(await retry(lake)).toMatchObject({ rejects: refused, taken: refused })
      expect(await liveRows(lake)).toEqual(await liveRows(today))
      const { rejects: _, ...counts } = await countsOf(lake)
      expect(counts).toEqual(await countsOf(today))
    }
  })

  it('names the ordinals that it took in as runs, in the entry that has their rows', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, b), frameFile([1, 2, 3, 4, 5, 6].map((amount) => operational(amount))))
    const { lake } = await olderLake((row) => row.amount !== 4n, [join(folder, b)])
    await retry(lake)
    const entry = readEntries(join(lake, 'iot_reward_shares')).at(-1)
    const adds = entry?.actions.flatMap((action) => (action.add === undefined ? [] : [action.add])) ?? []
    const tags = (adds[0] as { tags?: Record<string, string> } | undefined)?.tags?.['ledgerlake.sources']
    expect(entry?.actions.filter((action) => 'remove' in action)).toHaveLength(1)
    expect(JSON.parse(tags ?? '')).toMatchObject([{ rows: 6, refused: 5, retried: '0-2,4-5' }])
  })

  it('of a folder that is no lake says so and makes nothing', async () => {
    const folder = join(await temporaryFolder(), 'nothing')
    await expect(retry(folder)).rejects.toMatchObject({ code: 'not_ready' })
    expect(existsSync(folder)).toBe(false)
  })
})

describe('a retry that ends early leaves the old state, and the next one takes everything in', () => {
  const broken = () => {
    throw new Error('the disk is full')
  }
  it.each<[string, (writer: RowWriter) => Partial<RowWriter>]>([
    ['a reject cannot be read', () => ({ readStretch: broken })],
    [
      'new rows cannot be written',
      (writer) => ({
        openStage: async (resource, shapes) => {
          const stage = await writer.openStage(resource, shapes)
          return { rows: 0, append: (batch) => stage.append(batch), drop: () => stage.drop(), write: broken }
        },
      }),
    ],
    ['files cannot be merged', () => ({ merge: broken })],
    ['a file cannot be read back', () => ({ reread: broken })],
    [
      'a file is not what was written',
      () => ({ merge: async (_resource, file, _arriving, to) => cpSync(file, to) }),
    ],
  ])('because %s', async (_what, breakPart) => {
    const { lake, refused } = await olderLake(key(3))
    const [before, rows] = [versions(lake), await liveRows(lake)]
    const failing = retry(lake, {
      openWriter: async (spillFolder) => {
        const writer = await openWriter(spillFolder)
        return { ...writer, ...breakPart(writer) }
      },
    })
    await expect(failing).rejects.toThrow(/the disk is full|does not hold what was written/)
    expect(versions(lake)).toEqual(before)
    expect(await liveRows(lake)).toEqual(rows)
    expect(stagedIn(lake)).toEqual([])
    expect(await retry(lake)).toMatchObject({ taken: refused })
    await expectFresh(lake)
  })
})

describe('a retry that another commit comes before', () => {
  /** Retries, and does something else between reading the lake and committing. */
  async function retryAfter(lake: string, between: () => Promise<unknown>) {
    let isFirst = true
    return await retry(lake, {
      openWriter: async (spillFolder) => {
        const writer = await openWriter(spillFolder)
        return {
          ...writer,
          async merge(...args) {
            await writer.merge(...args)
            if (isFirst) await between()
            isFirst = false
          },
        }
      },
    })
  }

  it('of another retry takes in nothing twice', async () => {
    const { lake, refused } = await olderLake(key(3))
    let taken = 0
    const own = await retryAfter(lake, async () => {
      taken = (await retry(lake)).taken
    })
    expect([taken, own.taken]).toEqual([refused, 0])
    await expectFresh(lake)
  })

  it('of a retry by a build that is still too old takes in the rest', async () => {
    const { lake } = await olderLake((row) => key(3)(row) || key(1)(row))
    await retryAfter(lake, () => retry(lake, { openReader: olderBuild(key(1)) }))
    await expectFresh(lake)
  })

  it('of a new file goes on top of it', async () => {
    const lake = join(await temporaryFolder(), 'lake')
    const others = Object.keys(files).filter((name) => name !== b)
    const openReader = olderBuild(key(3))
    await ingestInto(
      lake,
      others.map((name) => join(input, name)),
      { maxRejects: 1000, openReader },
    )
    await retryAfter(lake, () => ingestInto(lake, [join(input, b)]))
    await expectFresh(lake)
  })

  it('of a replacement drops the messages of the old bytes', async () => {
    const folder = await temporaryFolder()
    const put = (...messages: Buffer[]) => writeFileSync(join(folder, b), frameFile(messages))
    put(operational(1), operational(2), operational(3))
    const { lake } = await olderLake((row) => row.amount === 2n, [join(folder, b)])
    put(operational(10), operational(20))
    const own = await retryAfter(lake, () => ingestInto(lake, [join(folder, b)], { replace: true }))
    expect(own).toMatchObject({ rejects: 0, taken: 0 })
    expect(await amountsIn(lake)).toEqual([10n, 20n])
  })
})

async function amountsIn(lake: string) {
  const rows = Object.values(await liveRows(lake)).flat()
  return rows.map((row) => row.amount).sort((x, y) => (BigInt(String(x)) < BigInt(String(y)) ? -1 : 1))
}

describe('nothing is taken in twice, and nothing is forgotten', () => {
  async function oneFile(...messages: Buffer[]) {
    const folder = await temporaryFolder()
    const [path, lake] = [join(folder, b), join(folder, 'lake')]
    const put = (...others: Buffer[]) => writeFileSync(path, frameFile(others))
    put(...messages)
    const take = (refuses: (row: DecodedRow) => boolean, replace = false) =>
      ingestInto(lake, [path], { replace, maxRejects: 1000, openReader: olderBuild(refuses) })
    /** The rejects are committed, the rows are not. */
    const takeHalf = (refuses: (row: DecodedRow) => boolean) =>
      expect(
        ingestInto(lake, [path], {
          openReader: olderBuild(refuses),
          openWriter: async (spillFolder) => {
            const writer = await openWriter(spillFolder)
            return {
              ...writer,
              async reread(resource, file) {
                if (resource.name !== 'rejects') throw new Error('the disk is full')
                return await writer.reread(resource, file)
              },
            }
          },
        }),
      ).rejects.toThrow('the disk is full')
    return { lake, put, take, takeHalf }
  }
  const is =
    (...amounts: bigint[]) =>
    (row: DecodedRow) =>
      amounts.includes(row.amount as bigint)
  const nothing = () => false

  it('when an older build died between rejects and rows, and a newer one took in the file', async () => {
    for (const newer of [nothing, is(3n)]) {
      const { lake, takeHalf, take } = await oneFile(operational(1), operational(2), operational(3))
      await takeHalf(is(2n, 3n))
      const { refusedRows } = await take(newer)
      expect((await countsOf(lake)).rejects?.rows).toBe(refusedRows)
      expect(await retry(lake)).toMatchObject({ rejects: refusedRows, taken: refusedRows })
      expect(await amountsIn(lake)).toEqual([1n, 2n, 3n])
    }
  })

  it('when a newer build died between rejects and rows, and an older one took in the file', async () => {
    const { lake, takeHalf, take } = await oneFile(operational(1), operational(2), operational(3))
    await takeHalf(is(3n))
    await take(is(2n, 3n))
    expect(await retry(lake)).toMatchObject({ rejects: 2, taken: 2 })
    expect(await amountsIn(lake)).toEqual([1n, 2n, 3n])
  })

  it('when a file was replaced, retried, and replaced by its first bytes again', async () => {
    const first = [operational(1), operational(2), operational(3)]
    const { lake, put, take } = await oneFile(...first)
    await take(is(2n, 3n))
    await retry(lake, { openReader: olderBuild(is(3n)) })
    expect(await amountsIn(lake)).toEqual([1n, 2n])
    put(operational(7))
    await take(nothing, true)
    expect(await retry(lake)).toMatchObject({ rejects: 0 })
    put(...first)
    await take(is(1n), true)
    expect(await countsOf(lake)).toMatchObject({
      iot_reward_shares: { rows: 2, refused: 1 },
      rejects: { rows: 1 },
    })
    expect(await retry(lake)).toMatchObject({ rejects: 1, taken: 1 })
    expect(await amountsIn(lake)).toEqual([1n, 2n, 3n])
  })

  it('when a message that is told as refused is a row already', async () => {
    const { lake, take } = await oneFile(operational(1), operational(2))
    await take(is(2n))
    await retry(lake)
    // As if the entry did not know of it: the retry is undone in the log, not in the file.
    const entry = readEntries(join(lake, 'iot_reward_shares')).at(-1)
    const text = (entry?.text ?? '')
      .replace(/,\\"retried\\":\\"1\\"/, '')
      .replace(/"engineInfo":"[a-z]+"/, '"engineInfo":"x"')
    expect(text).not.toBe(entry?.text)
    writeFileSync(entry?.path ?? '', text.replace(/,"digest":"[0-9a-f]+"/, ''))
    await expect(retry(lake)).rejects.toThrow(/holds message 1 of .* already/)
    expect(await amountsIn(lake)).toEqual([1n, 2n])
  })
})
