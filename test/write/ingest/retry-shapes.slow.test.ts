import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExpected, smallOracle } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { olderBuild } from '../../support/lakes/older-build.ts'
import {
  b,
  countsOf,
  type DecodedRow,
  drawn,
  files,
  hotspots,
  key,
  makeNetwork,
  olderLake,
  type RetryNetwork,
  retry,
  sharesOf,
} from '../../support/lakes/retry-network.ts'
import {
  dayEnd,
  dayStart,
  dec,
  frameFile,
  len,
  message,
  num,
} from '../../support/messages/oracle-messages.ts'
import { liveRows } from '../../support/read-answers.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let network: RetryNetwork
beforeAll(async () => {
  network = await makeNetwork()
})

describe('after a retry of the rejects of an older build a lake equals one of this build', () => {
  it('a source with only rejected rows, in a month with other sources', async () => {
    const folder = await temporaryFolder()
    const lake = join(folder, 'lake')
    const others = Object.keys(files).filter((name) => name !== b)
    await ingestInto(
      lake,
      others.map((name) => join(network.input, name)),
    )
    await ingestInto(lake, [join(network.input, b)], { maxRejects: 1000, openReader: olderBuild(() => true) })
    const all = drawn[1].shares.length
    expect((await countsOf(lake)).iot_reward_shares?.refused).toBe(all)
    expect(await retry(lake)).toMatchObject({ rejects: all, taken: all, refused: 0 })
    await network.expectFresh(lake)
  })

  it('rows of every message in three, by the sums of a network that another encoder wrote', async () => {
    let count = 0
    const { lake, refused } = await olderLake(() => count++ % 3 === 0, [smallOracle])
    expect(await retry(lake)).toMatchObject({ rejects: refused, taken: refused })
    const { queries: expected, counts } = readExpected()
    const server = await buildTestServer(lake)
    for (const { network, params, totals } of expected) {
      const { text } = await server.get(`/l2/${network}-reward-shares/totals?${new URLSearchParams(params)}`)
      for (const [name, digits] of Object.entries(totals)) expect(text).toContain(`"${name}":${digits}`)
    }
    const held = await countsOf(lake)
    expect(held.rejects?.rows).toBe(0)
    const { iot, mobile, manifests, witness } = counts
    expect(held).toMatchObject({
      iot_reward_shares: { rows: iot },
      mobile_reward_shares: { rows: mobile },
      reward_manifests: { rows: manifests },
      iot_witness_ingest_reports: { rows: witness },
    })
  })

  it('manifests of both networks, of one name, and witness reports', async () => {
    const folder = await temporaryFolder()
    const manifest = (reward: Buffer, time: number) =>
      message(num(2, dayStart), num(3, dayEnd), reward, num(7, time))
    const report = (time: number) =>
      message(num(1, time), len(2, len(2, hotspots[0]?.raw ?? ''), len(3, 'x'), num(4, time * 1_000_000)))
    const name = 'network_reward_manifest_v1.1738371600009.gz'
    const more: Readonly<Record<string, readonly Buffer[]>> = {
      [`iot/${name}`]: [manifest(len(5, dec(1, '1.5')), 7)],
      [`mobile/${name}`]: [manifest(len(4, dec(1, '2.5')), 8)],
      'iot_witness_ingest_report.1738371600010.gz': [5, 3, 9, 1, 7].map((step) =>
        report((dayStart + step) * 1000),
      ),
    }
    for (const [path, messages] of Object.entries(more)) {
      mkdirSync(join(folder, 'in', path, '..'), { recursive: true })
      writeFileSync(join(folder, 'in', path), frameFile(messages))
    }
    const today = join(folder, 'today')
    expect(await ingestInto(today, [join(folder, 'in')])).toMatchObject({ rows: 7, refusedRows: 0 })
    const isNinth = (row: DecodedRow) => row.received_at === BigInt(dayStart + 9) * 1_000_000n
    for (const refuses of [() => true, (row: DecodedRow) => row.reward_type === 'mobile' || isNinth(row)]) {
      const { lake, refused } = await olderLake(refuses, [join(folder, 'in')])
      expect(await retry(lake)).toMatchObject({ rejects: refused, taken: refused })
      expect(await liveRows(lake)).toEqual(await liveRows(today))
      const { rejects: _, ...counts } = await countsOf(lake)
      expect(counts).toEqual(await countsOf(today))
    }
  })
})

it('a retry by an older build keeps what it cannot store, and a newer one stores the rest', async () => {
  const { lake } = await olderLake((row) => key(0)(row) || key(4)(row) || key(5)(row), [network.input])
  const of = (place: number) => sharesOf(place).iot + sharesOf(place).mobile
  const [taken, refused] = [of(0) + of(5), of(4)]
  const older = { openReader: olderBuild(key(4)) }
  expect(await retry(lake, older)).toMatchObject({ rejects: taken + refused, taken, refused })
  const counts = await countsOf(lake)
  expect(counts.iot_reward_shares?.refused).toBe(sharesOf(4).iot)
  expect(counts.mobile_reward_shares?.refused).toBe(sharesOf(4).mobile)
  expect(counts.rejects?.rows).toBe(refused)
  expect(await retry(lake, older)).toMatchObject({ rejects: refused, taken: 0, refused })
  expect(await retry(lake)).toMatchObject({ rejects: refused, taken: refused, refused: 0 })
  await network.expectFresh(lake)
})
