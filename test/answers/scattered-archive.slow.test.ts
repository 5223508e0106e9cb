import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openRandom } from '../../src/write/sample/random.ts'
import { bringsIds, comparePage, walkList, withoutId } from '../support/archive/ask.ts'
import { expectedRecords, type ListOperation, ledgerOperations } from '../support/archive/operations.ts'
import { drawQuery } from '../support/archive/queries.ts'
import type { ExactRecord } from '../support/archive/records.ts'
import { readExact } from '../support/exact-json.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { deriveBlocks } from '../support/lakes/derive-all.ts'
import { drawArchive } from '../support/network/archive.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const SIZE = { transactions: scaled(300, 2000), blocks: scaled(120_000, 220_000), seed: 5 } as const
const PARTS = scaled(6, 10)
const RUNS = scaled(3, 4)
const QUERIES = scaled(6, 60)

let lake = ''
let operations: readonly ListOperation[] = []
let test: TestServer
const random = openRandom([1, 2, 3])

beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  const { parts, ...network } = await drawArchive(folder, SIZE, PARTS)
  for (let run = 0; run < RUNS; run += 1) {
    const paths = parts.filter((_, index) => index % RUNS === run)
    const summary = await ingestInto(lake, paths, { commitRows: scaled(600, 2000) })
    expect(summary).toMatchObject({ stored: paths.length, refusedRows: 0, failed: [], unknown: [] })
  }
  const l2 = await ingestInto(lake, [network.l2])
  expect(l2).toMatchObject({ stored: 2, refusedRows: 0, failed: [], unknown: [] })
  operations = ledgerOperations(network)
})

describe.each(['without indexes', 'with indexes'])(
  'an archive ingested in pieces, in any order and in several runs, %s',
  (which) => {
    beforeAll(async () => {
      if (which === 'with indexes') {
        await test.close()
        await deriveBlocks(lake)
      }
      test = await buildTestServer(lake)
    })

    it('has every list whole and in order', async () => {
      for (const operation of operations) {
        const records = await walkList(test, operation, 100)
        expect(bringsIds(operation) ? records : records.map(withoutId)).toEqual(operation.records)
      }
    })

    it('finds records by their ids and keys', async () => {
      for (const { path, envelope, lookup } of operations.filter((operation) => operation.lookup)) {
        for (let asked = 0; asked < 10; asked += 1) {
          const listed = await test.get(`${path}?per_page=1&page=${1 + random.below(20)}`)
          const { [envelope]: records } = readExact<Record<string, readonly ExactRecord[]>>(listed.text)
          const record = records?.[0]
          for (const key of ['id', ...(lookup?.keys ?? [])]) {
            const { text } = await test.get(`${path}/${encodeURIComponent(String(record?.[key]))}`)
            expect(readExact(text)).toEqual(record)
          }
        }
      }
    })

    it('answers any filters on any page like a plain reduction', async () => {
      let found = 0
      for (const operation of operations) {
        for (let asked = 0; asked < QUERIES; asked += 1) {
          const query = drawQuery(operation, random)
          const perPage = 1 + random.below(random.chance(0.5) ? 5 : 100)
          const pages = Math.ceil(expectedRecords(operation, query).length / perPage)
          // One past the end now and then.
          const page = 1 + random.below(pages + (random.chance(0.1) ? 2 : 0) || 1)
          if ((await comparePage(test, operation, query, page, perPage)) > 0) found += 1
        }
      }
      expect(found).toBeGreaterThan((operations.length * QUERIES) / 2)
    })
  },
)
