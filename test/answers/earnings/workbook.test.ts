import { beforeAll, expect, it } from 'vitest'
import { roundedNumber, workbook } from '../../../src/answers/export/workbook/workbook.ts'
import { bee, evil, makeEarningLake } from '../../support/earnings/earning-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { cellsOf, unzip } from '../../support/workbook/read-workbook.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer((await makeEarningLake()).folder)
})

const url = '/v1/net/earnings?owner=owner-a&first_day=2025-02-13&last_day=2025-02-16&format=xlsx'
/** Days since 30 December 1899, as LibreOffice counts the 13th. */
const [thirteenth, fourteenth, fifteenth, sixteenth] = ['45701', '45702', '45703', '45704']

it('earnings as a workbook have exact text beside rounded numbers, and no formula', async () => {
  const { statusCode, headers, rawPayload } = await server.server.inject({ url })
  expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'attachment; filename="owner-owner-a_2025-02-13_2025-02-16.xlsx"',
  ])
  const parts = unzip(rawPayload)
  expect([...parts.keys()]).toEqual([
    ...['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'],
    ...['xl/styles.xml', 'xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml'],
  ])
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? ''
  expect(sheet).not.toContain('<f>')
  const [, first, second, , missing] = cellsOf(sheet)
  expect(first).toEqual([
    ...[thirteenth, '"=Evil"', `"${evil.text}"`, '"IoT"', '"HNT"'],
    // 9223372036854775808 and 3689348814741910323200 of the last digits, to fifteen of them.
    ...['92233720368.5478', '"92233720368.54775808"', '4', '368934881474.191', '"368934881474.19103232"'],
    '"paid"',
  ])
  expect(second).toEqual([
    ...[thirteenth, '"Furry Linen Bee"', `"${bee.text}"`, '"IoT"', '"HNT"'],
    ...['0.000002', '"0.000002"', '4', '0.000008', '"0.000008"', '"paid"'],
  ])
  expect(missing?.slice(0, 1)).toEqual([fourteenth])
  expect(missing?.slice(4)).toEqual(['', '', '', '', '', '', '"data missing"'])
  expect(cellsOf(parts.get('xl/worksheets/sheet2.xml') ?? '').slice(1)).toEqual([
    ...[
      ['"HNT"', '92233720368.5478', '"92233720368.54776108"', '368934881474.191', '"368934881474.19104032"'],
      ['"MOBILE"', '0.000034', '"0.000034"', '0.0000000238', '"0.0000000238"'],
      ['"all tokens"', '', '', '368934881474.191', '"368934881474.1910403438"'],
    ].map((cells, index) => [...cells, index === 1 ? '' : '"without what has no price"']),
    [],
    ['"not known"', '"network"', '"first day"', '"last day"'],
    ['"data missing"', '"IoT"', fourteenth, fourteenth],
    ['"data missing"', '"Mobile"', fourteenth, sixteenth],
    ['"paid, token unknown"', '"IoT"', fifteenth, fifteenth],
  ])
})

it('a workbook escapes text, and replaces characters that XML lacks', async () => {
  async function* rows() {
    yield [{ text: '<a & "b">\u0001\uD800\n' }, null, { number: '-1.5' }]
  }
  const pieces: Uint8Array[] = []
  for await (const piece of workbook([{ name: 'A & B', widths: [9], rows: rows() }])) pieces.push(piece)
  const parts = unzip(Buffer.concat(pieces))
  expect(parts.get('xl/workbook.xml')).toContain('name="A &amp; B"')
  expect(cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '')).toEqual([
    ['"<a & "b">\uFFFD\uFFFD\n"', '', '-1.5'],
  ])
})

it.each([
  [0n, 8, '0'],
  [123_456_789_012_345n, 8, '1234567.89012345'],
  [1_234_567_890_123_454n, 8, '12345678.9012345'],
  [1_234_567_890_123_455n, 8, '12345678.9012346'],
  [9_999_999_999_999_995n, 16, '1'],
  [2n ** 64n, 0, '18446744073709600000'],
])('%s units of 10^-%s are the number %s in a workbook', (units, scale, number) => {
  expect(roundedNumber(units, scale)).toEqual({ number })
})
