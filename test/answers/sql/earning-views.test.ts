import { join } from 'node:path'
import { cellToParent } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { networkOfName } from '../../../src/catalog/networks.ts'
import { isReward } from '../../../src/catalog/records/flat-columns.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { openCounted } from '../../support/counting-engine.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { lackingLake, wholeDays } from '../../support/lakes/lacking-lake.ts'
import {
  at,
  hotspot,
  iotReward,
  iotShare,
  makeLake,
  manifest,
  mobileReward,
} from '../../support/lakes/make-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { hotspotRecord, makerRecord, writeRecords } from '../../support/messages/record-files.ts'
import { askSql, openSqlSession, rowsOf, type SqlRow } from '../../support/servers/ask-sql.ts'
import { filesOpenedBy, openConfinedLake } from '../../support/servers/confined-lake.ts'
import { some } from '../../support/some.ts'

const views = ['earnings', 'daily_earnings', 'days', 'hotspots', 'ledger_rewards']

describe('the views over networks', () => {
  let session: SqlSession
  const ask = (statement: string) => rowsOf(session, statement)

  beforeAll(async () => {
    const made = await makeLake({
      'iot/iot_reward_share.1.gz': [
        iotReward('2025-02-14', 1, { beacon_amount: 123n, witness_amount: 7n }),
        iotReward('2025-02-14', 2, { dc_transfer_amount: 0n }),
        iotReward('2025-02-14', 1, { reward_type: 'operational_reward', amount: 5n }),
      ],
      'iot/iot_reward_share.2.gz': [iotReward('2025-02-15', 1, { beacon_amount: 9n })],
      'mobile/mobile_reward_share.3.gz': [mobileReward('2025-02-14', 1, { dc_transfer_reward: 30n })],
      'iot/reward_manifest.4.gz': [
        manifest({
          written_files: ['iot_reward_share.1.gz'],
          ...{ reward_type: 'iot', token: 'iot_reward_token_iot', price: 1_234n },
        }),
      ],
      'mobile/reward_manifest.5.gz': [
        manifest({
          written_files: ['mobile_reward_share.3.gz'],
          ...{ token: 'mobile_reward_token_main', price: 250_000_000n },
        }),
      ],
    })
    const maker = makerRecord('m', { id: '0746cdbd-fec9-46d0-8dd4-b3c6e68cf06c', name: 'Maker M' })
    const [records, makers] = [join(made.input, 'hotspots.ndjson'), join(made.input, 'makers.ndjson')]
    writeRecords(records, [
      hotspotRecord('a', { ecc_key: hotspot(1).text, name: 'calm-otter', owner: 'o', maker }),
    ])
    writeRecords(makers, [maker])
    expect(await ingestInto(made.folder, [records, makers])).toMatchObject({ stored: 2, failed: [] })
    session = await openSqlSession(made.folder)
  })
  afterAll(() => session.close())

  it('earnings has a row for each pay of a hotspot, exact, with unknown tokens and prices as nulls', async () => {
    const [one, two] = [hotspot(1).text, hotspot(2).text]
    expect(
      await ask(`SELECT day, network, token, hotspot, name, owner, maker, reward_type, amount, formatted, price, usd
        FROM earnings ORDER BY day, network, amount DESC`),
    ).toEqual([
      [
        '2025-02-13',
        'iot',
        'IOT',
        one,
        'calm-otter',
        'o',
        'Maker M',
        'gateway_reward',
        '130',
        '0.00013000',
        '0.00123400',
        '0.0000001604200000',
      ],
      [
        '2025-02-13',
        'iot',
        'IOT',
        two,
        null,
        null,
        null,
        'gateway_reward',
        '0',
        '0.00000000',
        '0.00123400',
        '0.0000000000000000',
      ],
      [
        '2025-02-13',
        'mobile',
        'HNT',
        one,
        'calm-otter',
        'o',
        'Maker M',
        'gateway_reward',
        '30',
        '0.00000030',
        '2.50000000',
        '0.0000007500000000',
      ],
      ['2025-02-14', 'iot', null, one, 'calm-otter', 'o', 'Maker M', 'gateway_reward', '9', null, null, null],
    ])
  })

  it('daily_earnings sums them by day, network, token, type and price', async () => {
    expect(await ask('SELECT * FROM daily_earnings ORDER BY day, network')).toEqual([
      [
        '2025-02-13',
        'iot',
        'IOT',
        'gateway_reward',
        '0.00123400',
        '2',
        '130',
        '0.00013000',
        '0.0000001604200000',
      ],
      [
        '2025-02-13',
        'mobile',
        'HNT',
        'gateway_reward',
        '2.50000000',
        '1',
        '30',
        '0.00000030',
        '0.0000007500000000',
      ],
      ['2025-02-14', 'iot', null, 'gateway_reward', null, '1', '9', null, null],
    ])
  })

  it.each(views)('%s has a comment on every column, with the unit of every amount', async (view) => {
    const columns = await ask(`DESCRIBE ${view}`)
    expect(some(columns).filter(([, , comment]) => !comment)).toEqual([])
    for (const [name, type, comment] of columns) {
      expect(type, name ?? '').not.toMatch(/DOUBLE|FLOAT|HUGEINT/)
      if (name === 'amount') expect(comment).toMatch(/bones/)
      if (name === 'formatted') expect(comment).toMatch(/whole (tokens|HNT)/)
      if (name === 'price' || name === 'usd') expect(comment).toMatch(/USD/)
    }
  })

  it('are listed by SHOW TABLES without the parts that they are made of', async () => {
    const names = (await ask('SHOW TABLES')).map(([name]) => name ?? '')
    expect(names).toEqual(expect.arrayContaining(views))
    expect(names.filter((name) => name.startsWith('_'))).toEqual([])
    await expect(ask('FROM _log_sums')).rejects.toThrow('There is no table')
    await expect(ask('FROM _iot_reward_shares_in_branches')).rejects.toThrow('There is no table')
  })
})

describe('daily_earnings', () => {
  it('has the sums of earnings, and opens no file of reward shares', async () => {
    const session = await openConfinedLake(await new Lake(await smallLake()).latest(), 'branches')
    const sums = `SELECT day, network, token, reward_type, price, count(*)::BIGINT AS shares, sum(amount)::VARCHAR AS amount,
      sum(formatted)::VARCHAR AS formatted, sum(usd)::VARCHAR AS usd FROM earnings GROUP BY ALL ORDER BY ALL`
    const logged = `SELECT day, network, token, reward_type, price, shares, amount::VARCHAR AS amount, formatted::VARCHAR AS formatted,
      usd::VARCHAR AS usd FROM daily_earnings ORDER BY ALL`
    const found = await session.send(logged)
    expect(found.length).toBeGreaterThan(5)
    expect(found).toEqual(await session.send(sums))
    expect((await filesOpenedBy(session, 'SELECT sum(usd) FROM daily_earnings')).shares).toBe(0)
    expect((await filesOpenedBy(session, 'SELECT count(*) FROM days')).shares).toBe(0)
    expect((await filesOpenedBy(session, 'SELECT sum(usd) FROM earnings')).shares).toBeGreaterThan(2)
    session.close()
  })

  it('and days are stored by a session, which then opens no file for them', async () => {
    const session = await openConfinedLake(await new Lake(await smallLake()).latest(), 'branches')
    const planOf = async (statement: string) => JSON.stringify(await session.send(`EXPLAIN ${statement}`))
    expect(await planOf('SELECT sum(earned) FROM iot_rewards')).toContain('PARQUET')
    for (const view of ['daily_earnings', 'days']) {
      const stored = await session.send(`SELECT count(*) AS rows FROM _${view}_rows`)
      expect(stored).toEqual(await session.send(`SELECT count(*) AS rows FROM ${view}`))
      expect(await planOf(`FROM ${view}`)).not.toContain('PARQUET')
    }
    session.close()
  })
})

/** The manifest of a day that names a file that is there, one that is not, and one that no version reads; then two of longer periods. */
const withAbsentFiles = {
  ...wholeDays(2, 3),
  'iot/reward_manifest.41.gz': [
    manifest({
      written_files: ['iot_reward_share.3.gz', 'iot_reward_share.30.gz', 'gateway_reward_share.30.gz'],
      ...{
        reward_type: 'iot',
        start_timestamp: at('2025-02-02T00:00:00Z'),
        end_timestamp: at('2025-02-03T00:00:00Z'),
      },
    }),
  ],
  'iot/reward_manifest.42.gz': [
    manifest({
      written_files: ['iot_reward_share.60.gz'],
      ...{
        reward_type: 'iot',
        start_timestamp: at('2025-02-05T00:00:00Z'),
        end_timestamp: at('2025-02-06T00:00:00Z'),
      },
    }),
  ],
  'iot/reward_manifest.43.gz': [
    manifest({
      written_files: ['iot_reward_share.100.gz'],
      ...{
        reward_type: 'iot',
        start_timestamp: at('2025-02-07T00:00:00Z'),
        end_timestamp: at('2025-02-10T00:00:00Z'),
      },
    }),
  ],
  'iot/iot_reward_share.100.gz': [
    iotShare({
      ...{ start_period: at('2025-02-07T00:00:00Z'), end_period: at('2025-02-10T00:00:00Z') },
      ...{ reward_type: 'operational_reward', amount: 5n },
    }),
  ],
}

describe('days', () => {
  it.each([
    ['a network', smallLake, 0],
    ['a lake that lacks days and manifests', async () => (await lackingLake()).folder, 0],
    ['a lake that lacks files', async () => (await makeLake(withAbsentFiles)).folder, 2],
  ])('has the state that the coverage of %s has for each day', async (_, make, longDays) => {
    const folder = await make()
    const services = await openCounted(readSettings({}, { lake: folder }))
    const snapshot = await services.lake.latest()
    await services.repository.coverages.read(snapshot)
    const session = await openSqlSession(folder, snapshot)
    for (const resource of some(resources.filter(isReward))) {
      const coverage = services.repository.coverages.peek(resource, snapshot)
      const extent = coverage?.extent ?? { from: 0n, to: 0n }
      const now = 2n ** 60n
      const { epochs, manifests } = coverage?.over({ from: extent.from, to: now }) ?? {}
      const daysIn = (runs: readonly { first: string; days: number }[] | null = []) =>
        (runs ?? []).flatMap(({ first, days }) =>
          Array.from({ length: days }, (_, index) =>
            new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
          ),
        )
      const rows = await rowsOf(
        session,
        `SELECT day, state, files_without_manifest, shares FROM days WHERE network = '${networkOfName(resource.name)}' ORDER BY day`,
      )
      const inState = (holds: (row: SqlRow) => boolean) => rows.filter(holds).map(([day]) => day)
      // An epoch of three days is one epoch of the coverage.
      const more = networkOfName(resource.name) === 'iot' ? longDays : 0
      expect(rows.length).toBe((epochs?.expected ?? 0) + more)
      expect(inState(([, state]) => state === 'missing')).toEqual(daysIn(epochs?.missing))
      expect(inState(([, state]) => state === 'files missing')).toEqual(daysIn(epochs?.incomplete))
      expect(inState(([, , unnamed]) => unnamed !== '0')).toEqual(daysIn(manifests?.missing))
      expect(rows.reduce((sum, [, , , shares]) => sum + Number(shares), 0)).toBe(
        snapshot.table(resource).rows,
      )
    }
    await session.close()
    await services.close()
  })
})

describe('hotspots', () => {
  it('has the H3 parents of the location that the H3 library computes, and the name of the maker', async () => {
    const rows = await askSql(
      await smallLake(),
      `SELECT printf('%x', coalesce(iot_location, mobile_location)), printf('%x', location), printf('%x', h3_res_4),
        printf('%x', h3_res_5), printf('%x', h3_res_6), printf('%x', h3_res_7) FROM hotspots WHERE location IS NOT NULL`,
    )
    expect(rows.length).toBeGreaterThan(20)
    for (const [first, location = '', ...parents] of rows) {
      expect(location).toBe(first)
      expect(parents).toEqual([4, 5, 6, 7].map((resolution) => cellToParent(location ?? '', resolution)))
    }
  })
})
