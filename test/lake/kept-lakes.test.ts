import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { KEYS_MAGIC } from '../../src/index/keyed/key-file-contents.ts'
import { addKey } from '../../src/keys/key-file.ts'
import { followKeys } from '../../src/keys/key-ring.ts'
import { FORMAT } from '../../src/lake/log/table-format.ts'
import { compact } from '../../src/write/compact/compact.ts'
import { readExpected, smallOracle } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { deriveAll } from '../support/lakes/derive-all.ts'
import { askAgain, keptBodies, keptLakes } from '../support/lakes/kept-lakes.ts'
import { craftArtifact } from '../support/messages/craft-artifacts.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

it('the fixtures have a lake of every data format', () => {
  const formats = Array.from({ length: FORMAT }, (_, place) => `format-${place + 1}`)
  expect(keptLakes.map(({ format }) => format)).toEqual(formats)
})

it('the upgrade page lists the data formats that this build writes', () => {
  const page = readFileSync(new URL('../../docs/guide/upgrade.md', import.meta.url), 'utf8')
  const cellsOf = (row: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${row}`))
      ?.split(' | ')
  expect(cellsOf('writes data format')?.at(-1)).toBe(`${FORMAT} |`)
  expect(cellsOf('index by hotspot')?.[0]).toContain(KEYS_MAGIC)
  expect(cellsOf('index by hotspot')?.at(-1)).toBe(`${KEYS_MAGIC.slice(-2)} |`)
})

// The oldest one in npm test, each of them in the slow tier.
describe.each(scaled(keptLakes.slice(0, 1), keptLakes))(
  'a lake of $format',
  ({ answers, snapshots, keys, copyTo }) => {
    const then = keptBodies(answers)
    /** The last epoch was not in yet, so nothing but the newest snapshots differs once it is. */
    const ofOlderSnapshots = answers.filter(({ path }) => path?.includes('as_of'))

    it('answers as before, accepts new files, is compacted and indexed, and still answers as before', async () => {
      const home = await temporaryFolder()
      copyTo(home)
      const lake = join(home, 'lake')
      server = await buildTestServer(lake)
      expect(answers.length).toBeGreaterThan(70)
      expect(await askAgain(server, answers)).toEqual(then)
      await server.close()

      const { stored, failed } = await ingestInto(lake, [smallOracle])
      expect([stored, failed]).toEqual([5, []])
      server = await buildTestServer(lake)
      await expectAnswers(server)
      const older = await askAgain(server, ofOlderSnapshots)
      expect(Object.keys(older).length).toBeGreaterThan(15)
      expect(then).toMatchObject(older)
      await server.close()

      // A day before those that the expected sums are about, in a month that was compacted.
      const late = craftArtifact(home, 'iot_reward_share', 1_736_121_600_000, [
        { ...earlier, reward_type: 'operational_reward', amount: 1n },
      ])
      expect(await ingestInto(lake, [late])).toMatchObject({ stored: 1, failed: [] })
      const compacted = await compact({ lake, months: undefined, openWriter: openTestWriter })
      expect(compacted.map(({ table, partition }) => `${table} ${partition}`)).toContain(
        'iot_reward_shares 2025-01',
      )
      await deriveAll(lake)
      server = await buildTestServer(lake)
      await expectAnswers(server)
      expect(then).toMatchObject(await askAgain(server, ofOlderSnapshots))
      expect(snapshots.length).toBeGreaterThan(3)
    })

    it('has a key file with the same keys, and accepts another one', async () => {
      const home = await temporaryFolder()
      copyTo(home)
      const path = join(home, 'keys.ndjson')
      const expectKeys = async () => {
        const ring = await followKeys(path, 60_000, (error) => expect.fail(String(error)))
        expect(ring.find(keys.all)).toMatchObject({ name: 'all', ratePerMinute: null, lookbackDays: null })
        expect(ring.find(keys.limited)).toMatchObject({
          ...{ name: 'limited', features: ['HotspotData'], ratePerMinute: 2 },
          ...{ quotaPer30Days: 5, lookbackDays: 30 },
        })
        expect(ring.find(keys.revoked)).toBeUndefined()
        return ring
      }
      await (await expectKeys()).close()
      const terms = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
      const added = await addKey(path, { name: 'new', ...terms }, new Date())
      const ring = await expectKeys()
      expect(ring.find(added)).toMatchObject({ name: 'new' })
      await ring.close()
    })
  },
)

/** 4 January 2025. */
const earlier = { start_period: 1_735_948_800_000_000n, end_period: 1_736_035_200_000_000n }

/** The sums that were computed beside the small network. */
async function expectAnswers({ get }: TestServer): Promise<void> {
  const queries = readExpected().queries.filter((_, place) => place % scaled(3, 1) === 0)
  expect(queries.length).toBeGreaterThan(scaled(10, 30))
  for (const { network, params, count, totals } of queries) {
    const list = `/l2/${network}-reward-shares`
    const { text } = await get(`${list}?${new URLSearchParams({ ...params, per_page: '1' })}`)
    expect(JSON.parse(text).meta.total_pages).toBe(Math.max(1, count))
    const summed = await get(`${list}/totals?${new URLSearchParams({ ...params, integers: 'string' })}`)
    expect(JSON.parse(summed.text)).toMatchObject(totals)
  }
}
