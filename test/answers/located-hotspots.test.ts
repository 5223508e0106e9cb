import { join } from 'node:path'
import { parse } from 'lossless-json'
import { beforeAll, expect, it } from 'vitest'
import { hotspots } from '../../src/catalog/l2/hotspots.ts'
import type { Row } from '../../src/catalog/resource.ts'
import { deriveBlocks } from '../support/lakes/derive-all.ts'
import { storeMadeUp } from '../support/lakes/store-made-up.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Cells of resolution 12 under the cell 623386094568046591 of resolution 10, and one elsewhere. */
const around = 623386094568046591n
const inside = [632393293822755327n, 632393293822759423n, 632393293822779903n, 632393293822782975n]
const outside = 631608639383981055n

/** More than one chunk of the table, of which the index by cells has the few inside side by side; names do not run with the cells. */
const made: readonly Row[] = Array.from({ length: 9000 }, (_, number): Row => {
  const cell = inside[3 - (number % 150)] ?? outside
  const id = String(number).padStart(12, '0')
  return {
    id: `00000000-0000-4000-8000-${id}`,
    asset_id: `asset${number}`,
    ecc_key: `key${number}`,
    owner: 'owner',
    networks: ['iot'],
    name: `name ${(number * 37) % 9000}`.padEnd(9, 'x'),
    iot_location: cell,
  }
})

const byName = [...made]
  .sort((a, b) => Buffer.compare(Buffer.from(String(a.name)), Buffer.from(String(b.name))))
  .filter(({ iot_location }) => iot_location !== outside)
  .map(({ name }) => name)

let test: TestServer

beforeAll(async () => {
  const folder = await temporaryFolder()
  const lake = join(folder, 'lake')
  await storeMadeUp(lake, hotspots, { 'hotspots.ndjson': made })
  await deriveBlocks(lake)
  test = await buildTestServer(lake)
})

it.each([1, 2, 3])('hotspots of several cells are ordered by name, page %i', async (page) => {
  const { text } = await test.get(`/l2/hotspots?iot_location=${around}&per_page=20&page=${page}`)
  const { records } = parse(text) as { records: { name: string }[] }
  expect(records.map(({ name }) => name)).toEqual(byName.slice((page - 1) * 20, page * 20))
})
