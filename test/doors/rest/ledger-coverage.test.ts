import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../support/engines.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { writeRewards } from '../../support/network/archive.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Rewards in the middle of these days, and one more in the last second of the second. */
const days = ['2021-03-01', '2021-03-02', '2021-03-04', '2021-03-31', '2021-04-02']
const times = [...days.map((day) => `${day}T12:00:00Z`), '2021-03-02T23:59:59Z']
const rewards = times.map((time, number) => ({
  ...{ source_file: 'data_xaa.csv.gz', ordinal: BigInt(number), block: BigInt(1000 + number) },
  ...{ transaction_hash: `t${number}`, time: BigInt(Date.parse(time)) / 1000n, account_address: 'ada' },
  ...{ gateway_address: 'gateway', amount: 7n, type: 'poc_witness' },
}))

const run = (first: string, last: string, many: number) => ({ first, last, days: many })
const unknown = { incomplete: null, late: null, unreadable: null }
const header = 'ledgerlake-missing'

describe.each(engines)('the coverage of the ledger, by the %s', (_name, around) => {
  let lake: string
  let server: TestServer

  beforeAll(async () => {
    const folder = await temporaryFolder()
    lake = join(folder, 'lake')
    await ingestInto(lake, [writeRewards(join(folder, 'input'), { 'data_xaa.csv.gz': rewards })])
    server = await buildTestServer(lake, 60_000, around)
  })

  const parsed = async (path: string) => JSON.parse((await server.get(path)).text)

  it('lists the days without a row, and is null for what the ledger cannot show', async () => {
    const { records, meta, coverage } = await parsed('/l1/rewards/series?interval=month&coverage=true')
    expect(coverage).toEqual({
      ...{ from: '2021-03-01T00:00:00Z', to: '2021-04-02T23:59:59Z' },
      epochs: {
        ...{ expected: 33, present: 5, newest: '2021-04-02', ...unknown },
        missing: [
          run('2021-03-03', '2021-03-03', 1),
          run('2021-03-05', '2021-03-30', 26),
          run('2021-04-01', '2021-04-01', 1),
        ],
      },
      ...{ manifests: null, files: null, tokens: ['main'], mixes_tokens: false },
    })
    expect({ records, meta }).toEqual(await parsed('/l1/rewards/series?interval=month'))
  })

  it('clamps its range to the years 0000 to 9999 with any offset', async () => {
    const query = 'from=0000-01-01T00:00%2B14:00&to=9999-12-31T23:59-14:00&coverage=true'
    const { coverage } = await parsed(`/l1/rewards/series?${query}`)
    expect([coverage.from, coverage.to]).toEqual(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'])
  })

  it('is counted in Ledgerlake-Missing of series and exports', async () => {
    const missing = async (query: string) => [
      (await server.get(`/l1/rewards/series?${query}`)).headers[header],
      (await server.get(`/l1/rewards?${query}&format=ndjson`)).headers[header],
    ]
    const both = (value: string | undefined) => [value, value]
    expect(await missing('from=2021-03-01&to=2021-03-04')).toEqual(both('days=1, manifests=0'))
    expect(await missing('from=2021-03-01&to=2021-03-02T23:59:59Z')).toEqual(both(undefined))
    expect(await missing('from=2021-03-02T23:59:59Z&to=2021-03-03T00:00:00Z')).toEqual(
      both('days=1, manifests=0'),
    )
    expect(await missing('to=2021-03-04')).toEqual(both('days=1, manifests=0'))
    // The ledger ended on 18 April 2023.
    expect(await missing('from=2023-04-17&to=2024-01-01')).toEqual(both('days=2, manifests=0'))
    expect(await missing('from=2023-04-19&to=2024-01-01')).toEqual(both(undefined))
    // Of the rows of packets and burns a day may have none.
    expect((await server.get('/l1/packets?format=ndjson')).headers[header]).toBeUndefined()
  })

  it('is part of GET /status', async () => {
    const { tables } = await parsed('/status')
    const [status] = tables.filter(({ table }: { table: string }) => table === 'l1_rewards')
    expect(status.coverage.epochs).toMatchObject({ expected: 33, present: 5 })
  })
})

it('the days of the ledger are read by one statement for each version of the table', async () => {
  const folder = await temporaryFolder()
  const lake = join(folder, 'lake')
  await ingestInto(lake, [writeRewards(join(folder, 'input'), { 'data_xaa.csv.gz': rewards })])
  const { engine, server } = await buildTestServer(lake)
  const work = async () => {
    const { statements } = engine.work()
    await server.inject({ method: 'HEAD', url: '/v1/net/l1/rewards?from=2021-03-01&format=csv' })
    return engine.work().statements - statements
  }
  const [first, second] = [await work(), await work()]
  expect(first - second).toBe(1)
})

it('the command status prints a calendar of the ledger with a sign for each day', async () => {
  const folder = await temporaryFolder()
  const lake = join(folder, 'lake')
  await ingestInto(lake, [writeRewards(join(folder, 'input'), { 'data_xaa.csv.gz': rewards })])
  const { stdout } = await runMain(['status', '--lake', lake], { cwd: folder })
  expect(stdout).toContain(
    [
      'l1_rewards: data for 5 of 33 days',
      '           1        10        20        30',
      '  2021-03  ##.#..........................#',
      '  2021-04  .#',
      '  no rows of 2021-03-03',
      '  no rows of 2021-03-05 to 2021-03-30',
      '  no rows of 2021-04-01',
      '  whether a day has all its rows is not known: nothing names the files of L1',
      '',
    ].join('\n'),
  )
})
