import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'
import { buildIndex } from '../support/lakes/derive-all.ts'
import { type MadeLake, makeLake } from '../support/lakes/make-lake.ts'
import { oracleFiles } from '../support/network/oracle-files.ts'
import { drawFile, hotspotText } from '../support/network/shares.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { countIndexReads, workOf } from '../support/servers/work-of.ts'

countIndexReads()

/** Two years with a file of 24,000 shares, or three row groups, in each; a hotspot has some ten of them a year. */
const random = openRandom(deriveSeed('bytes read'))
const files = ['2024-07-01', '2025-07-01'].map((date, year) => ({
  ...drawFile(random, {
    ...{ network: 'iot', name: `iot_reward_share.${year}.gz`, count: 24_000, hotspots: 1000 },
    ends: [0n, 1n, 2n].map((day) => BigInt(Date.parse(date)) / 1000n + day * 86_400n),
  }),
  manifests: [],
}))
const list = '/l2/iot-reward-shares'
const both = 'from=2024-01-01&to=2026-01-01'
const second = 'from=2025-01-01&to=2026-01-01'
const one = `hotspot_key=${hotspotText(7)}`

/** Noise of the process that runs the tests. */
const FEW_BYTES = 8_000

let lake: MadeLake
let plain: TestServer
let indexed: TestServer
let tableBytes = 0
beforeAll(async () => {
  lake = await makeLake(oracleFiles(files))
  const at = await new Lake(lake.folder).latest()
  for (const { bytes } of at.table(iotRewardShares).files) tableBytes += bytes
  plain = await buildTestServer(lake.folder)
  await buildIndex(lake.folder, join(lake.folder, '_state'), at)
  indexed = await buildTestServer(lake.folder)
  // A first request loads parts of the program, and compares files with their digests.
  for (const { get } of [plain, indexed]) {
    for (const path of [list, `${list}/totals`]) await get(`${path}?from=2030-01-01&to=2031-01-01`)
    for (const range of [both, second]) await get(`${list}/totals?${range}&${one}`)
  }
  await plain.get(`${list}?${both}`)
})

/** Bytes that the engine reads for an answer, as a part of the table. */
const partOf = (bytes: number | undefined) => (bytes ?? 0) / tableBytes

describe('over the whole network', () => {
  it.each([both, second, `${both}&reward_type=gateway_reward`])('totals read nothing: %s', async (range) => {
    const { engineBytes = 0, text, ...work } = await workOf(plain, `${list}/totals?${range}`)
    expect(work).toEqual({ statements: 0, files: 0, indexReads: 0, indexBytes: 0 })
    expect(engineBytes).toBeLessThan(FEW_BYTES)
    expect(text).not.toContain('"total_beacon_amount":0,')
  })

  it.each([
    ['the first, with the footer of the file', both, 0.3],
    ['one in the middle', `${both}&page=900`, 0.1],
    ['the last one of a type', `${second}&reward_type=unallocated_reward&page=150`, 0.1],
  ])('a page reads its row group alone, in one statement: %s', async (_, query, most) => {
    const { engineBytes, ...work } = await workOf(plain, `${list}?${query}`)
    expect(work).toMatchObject({ statements: 1, files: 1, indexReads: 0 })
    expect(JSON.parse(work.text).records).toHaveLength(25)
    expect(partOf(engineBytes)).toBeLessThan(most)
    expect(engineBytes ?? FEW_BYTES).toBeGreaterThanOrEqual(FEW_BYTES)
  })
})

describe('over one hotspot', () => {
  it.each([
    ['two years', both, [1, 1]],
    // The rows of the page are unpacked already.
    ['one year', second, [1, 0]],
    // The directory of the index tells that the key is known.
    ['a year without shares', 'from=2023-01-01&to=2023-12-31', [0, 0]],
  ])('totals and pages are one short read of the index: %s', async (_, range, reads) => {
    const paths = [`${list}/totals?${range}&${one}`, `${list}?${range}&${one}`]
    for (const [place, path] of paths.entries()) {
      const { engineBytes = 0, text, indexBytes, ...work } = await workOf(indexed, path)
      expect(work).toEqual({ statements: 0, files: 0, indexReads: reads[place] })
      expect(indexBytes).toBeLessThanOrEqual(500)
      expect(engineBytes).toBeLessThan(FEW_BYTES)
      expect(text).toBe((await workOf(plain, path)).text)
    }
  })

  it('totals without the index read the columns that they need, of the years in the range', async () => {
    const { engineBytes, statements, files: read } = await workOf(plain, `${list}/totals?${second}&${one}`)
    expect({ statements, read }).toEqual({ statements: 1, read: 1 })
    expect(partOf(engineBytes)).toBeLessThan(0.5)
  })
})
