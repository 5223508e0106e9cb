import { parse } from 'csv-parse/sync'
import { beforeAll, expect, it } from 'vitest'
import { bee, evil, makeEarningLake } from '../../support/earnings/earning-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer((await makeEarningLake()).folder)
})

const days = 'first_day=2025-02-13&last_day=2025-02-16'

async function rowsOf(tool: string, more = `owner=owner-a&${days}`) {
  const { status, text, headers } = await server.get(`/earnings?${more}&format=${tool}`)
  expect(status, text).toBe(200)
  const rows: readonly (readonly string[])[] = parse(text)
  return { rows, headers }
}

it('a file for Koinly has the columns of its universal template, and a line for each payment', async () => {
  const { rows, headers } = await rowsOf('koinly')
  expect(rows[0]).toEqual([
    ...['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency', 'Fee Amount'],
    ...['Fee Currency', 'Net Worth Amount', 'Net Worth Currency', 'Label', 'Description', 'TxHash'],
  ])
  const line = (date: string, amount: string, token: string, usd: string, text: string) => [
    ...[`${date} 12:00 UTC`, '', '', amount, token, '', '', usd, usd && 'USD', 'reward', text, ''],
  ]
  expect(rows.slice(1)).toEqual([
    line('2025-02-13', '92233720368.54775808', 'HNT', '368934881474.19103232', "'=Evil, IoT"),
    line('2025-02-13', '0.000002', 'HNT', '0.000008', 'Furry Linen Bee, IoT'),
    line('2025-02-13', '0.000034', 'MOBILE', '0.0000000238', 'Furry Linen Bee, Mobile'),
    line('2025-02-16', '0.000001', 'HNT', '', "'=Evil, IoT"),
  ])
  expect([headers['ledgerlake-rows'], headers['content-disposition']]).toEqual([
    '4',
    'attachment; filename="owner-owner-a_2025-02-13_2025-02-16_koinly.csv"',
  ])
})

it('a file for CoinTracker has the columns of its template in their order, and a line for each payment', async () => {
  const { rows } = await rowsOf('cointracker')
  expect(rows[0]).toEqual([
    ...['Date', 'Received Quantity', 'Received Currency', 'Sent Quantity', 'Sent Currency', 'Fee Amount'],
    ...['Fee Currency', 'Tag'],
  ])
  expect(rows.slice(1)).toEqual([
    ['02/13/2025 12:00:00', '92233720368.54775808', 'HNT', '', '', '', '', 'mined'],
    ['02/13/2025 12:00:00', '0.000002', 'HNT', '', '', '', '', 'mined'],
    ['02/13/2025 12:00:00', '0.000034', 'MOBILE', '', '', '', '', 'mined'],
    ['02/16/2025 12:00:00', '0.000001', 'HNT', '', '', '', '', 'mined'],
  ])
})

it('a tax file has times in UTC also for days of another zone', async () => {
  const zone = `hotspot_key=${bee.text},${evil.text}&first_day=2025-02-14&last_day=2025-02-14&tz=Pacific/Auckland`
  const { rows } = await rowsOf('koinly', zone)
  expect(rows.slice(1).map(([date]) => date)).toEqual(Array(3).fill('2025-02-13 12:00 UTC'))
})
