import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { SeriesFold } from '../../../src/answers/series/series-fold.ts'
import { runAtOnce } from '../../../src/base/slices.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import { dayBefore, hotspot, iotShare, makeLake } from '../../support/lakes/make-lake.ts'
import { hotspotRecord, ndjson } from '../../support/messages/record-files.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { countedIndexReads, countIndexReads } from '../../support/servers/work-of.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

countIndexReads()

const HOTSPOTS = 90
const DAYS = 50
const days = Array.from({ length: DAYS }, (_, day) =>
  new Date(Date.UTC(2025, 0, 5 + day)).toISOString().slice(0, 10),
)
/** The later hotspot earns more. */
const amountOf = (one: number, day: number) => BigInt(1000 * one + day)
const shares = days.flatMap((date, day) =>
  Array.from({ length: HOTSPOTS }, (_, one) =>
    iotShare({
      ...dayBefore(date),
      ...{ reward_type: 'gateway_reward', hotspot_key: hotspot(one).raw, beacon_amount: amountOf(one, day) },
    }),
  ),
)
const path = '/l2/iot-reward-shares/totals/series'
const all = 'from=2025-01-01&to=2025-03-01&group_by=hotspot&limit=1000'

let lake: string

beforeAll(async () => {
  lake = (await makeLake({ 'iot/iot_reward_share.1.gz': shares })).folder
  const records = join(await temporaryFolder(), 'hotspots.ndjson')
  writeFileSync(records, ndjson(Array.from({ length: HOTSPOTS }, (_, one) => hotspotRecord(`asset-${one}`))))
  await ingestInto(lake, [records])
  await deriveAll(lake)
})

/** The records of the series as a reply has them, written by hand. */
function expectedRecords(): string {
  const zero = (name: string) => `"${name}":0,"formatted_${name}":null`
  return days
    .flatMap((date, day) => {
      const start = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
      return Array.from({ length: HOTSPOTS }, (_, place) => {
        const one = HOTSPOTS - 1 - place
        const amount = amountOf(one, day)
        const paid = `"total_beacon_amount":${amount},"formatted_total_beacon_amount":null`
        const sums = [
          paid,
          zero('total_witness_amount'),
          zero('total_dc_transfer_amount'),
          zero('total_amount'),
        ]
        const earned = `"earned":${amount},"formatted_earned":null,"usd":${amount === 0n ? '"0.0"' : 'null'}`
        return `{"start":"${start}","token":null,"group":"${hotspot(one).text}","name":null,${sums.join(',')},${earned}}`
      })
    })
    .join(',')
}

describe('a series of more than 4,000 rows', () => {
  it('is streamed with an ETag, and has every earned row', async () => {
    const { server, get } = await buildTestServer(lake)
    const { status, text, headers } = await get(`${path}?${all}`)
    expect([status, headers['content-length']]).toEqual([200, undefined])
    expect(text.slice(text.indexOf('"records":['))).toBe(`"records":[${expectedRecords()}]}`)
    const url = `/v1/net${path}?${all}`
    const etag = String(headers.etag)
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const again = await server.inject({ url, headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await server.inject({ url, method: 'HEAD' })
    expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, etag, ''])
  })

  it('takes an export slot, and returns 503 before any computation if none is free', async () => {
    const exports = { most: 0, timeoutMs: 60_000, stallMs: 30_000 }
    const { get, engine, server } = await buildTestServer(lake, 60_000, undefined, { exports })
    const before = [engine.work(), countedIndexReads()]
    const { status, text } = await get(`${path}?${all}`)
    expect([status, /"code":"(\w+)"/.exec(text)?.[1]]).toEqual([503, 'overloaded'])
    expect([engine.work(), countedIndexReads()]).toEqual(before)
    expect((await server.inject({ url: `/v1/net${path}?${all}`, method: 'HEAD' })).statusCode).toBe(200)
    expect((await get(`${path}?${all}&interval=week`)).status).toBe(200)
  })
})

it('a series of hotspots stops reading when its signal aborts', async () => {
  const settings = readSettings(
    {},
    { lake, state: `${lake}/_state`, engine_memory_mb: '256', engine_threads: '1' },
  )
  const services = await openServices(settings, { worthwhileRows: 1 })
  cleanUp(() => services.close())
  const at = await new Lake(lake).latest()
  await services.warm(at)
  const request = { interval: 'day', tz: 'UTC', groupBy: 'hotspot', limit: 1000 } as const
  const series = services.repository.series(iotRewardShares, {}, request, at)
  expect(series.by).toBe('index')
  await series.read()
  // The slice under way is one of the real clock.
  await nextTurn()
  const before = countedIndexReads()
  // Each look at the clock ends a slice.
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20))
  const gone = new AbortController()
  const reading = series.read(gone.signal)
  const abortAfterTen = () => {
    if (countedIndexReads() - before < 10) setImmediate(abortAfterTen)
    else gone.abort(new Error('gone'))
  }
  abortAfterTen()
  await expect(reading).rejects.toThrow('gone')
  clock.mockRestore()
  expect(countedIndexReads() - before).toBeLessThan(20)
})

it('a series with too many rows fails, and the error says how to get fewer', () => {
  const fold = new SeriesFold(iotRewardShares, false, 2)
  const cells = ['a', 'b', 'c'].map((group) => ({ source: 's', period: 1n, group, sums: [1n] }))
  const facts = () => ({ start: '2025-01-01', token: null, price: null })
  expect(() => runAtOnce(fold.add(cells, facts))).toThrow(
    'The series of iot_reward_shares has more than 2 rows; ask for a shorter range, a longer interval or a smaller limit.',
  )
})
