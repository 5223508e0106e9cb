import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { rejects } from '../../../src/catalog/lake/rejects.ts'
import { hashFile } from '../../../src/lake/disk/disk.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { countOpen, openRejectsOf } from '../../../src/lake/snapshot/open-rejects.ts'
import { decodeNew } from '../../../src/write/ingest/decode-new.ts'
import { IngestCounts } from '../../../src/write/ingest/ingest-counts.ts'
import { KnownSources } from '../../../src/write/ingest/known-sources.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { readTable } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const KIB = 1024
const MIB = 1024 * KIB
const recordOf = (block: number, length: number) =>
  `${block},hash${block},payment_v2,"{""memo"": ""${'x'.repeat(length)}""}",1650000000\n`

it('a record above the limit is rejected alone, and a higher limit stores it', async () => {
  const root = await temporaryFolder()
  const lake = join(root, 'lake')
  mkdirSync(join(root, 'transactions'))
  const content = [recordOf(1, 1), recordOf(2, 300 * KIB), recordOf(3, 1), recordOf(4, 200 * KIB)].join('')
  writeFileSync(join(root, 'transactions', 'data_xaa.csv.gz'), gzipSync(content, { level: 1 }))
  const take = (recordMb: number, replace = false) =>
    ingestInto(lake, [join(root, 'transactions')], {
      replace,
      openWriter: (folder) => openTestWriter(folder, undefined, { recordMb }),
    })
  const lengths = async () =>
    (await readTable(lake, 'l1_transactions')).map(({ block, fields }) => [block, String(fields).length])
  const small = '{"memo": "x"}'.length

  expect(await take(0.25)).toMatchObject({ stored: 1, rows: 3, refusedRows: 1, failed: [] })
  const sizes = [
    [1n, small],
    [3n, small],
    [4n, small - 1 + 200 * KIB],
  ]
  expect((await lengths()).sort()).toEqual(sizes)
  const [reject] = await readTable(lake, rejects.name)
  expect(reject?.reason).toBe(
    `record 2 has ${recordOf(2, 300 * KIB).length} bytes; the limit is ${256 * KIB}: raise ingest_record_mb ` +
      'and ingest the file again with --replace. Its first 65536 bytes are kept here',
  )

  expect(await take(1)).toMatchObject({ stored: 0, skipped: 1 })
  expect(await take(1, true)).toMatchObject({ stored: 1, rows: 4, refusedRows: 0 })
  expect((await lengths()).sort()).toEqual([sizes[0], [2n, small - 1 + 300 * KIB], ...sizes.slice(1)])
  expect(countOpen(openRejectsOf(await new Lake(lake).latest()))).toBe(0)
  expect(await take(1, true)).toMatchObject({ stored: 0, skipped: 1 })
})

it('a quote within a cell of a file with long records costs no other row', async () => {
  const root = await temporaryFolder()
  const lake = join(root, 'lake')
  mkdirSync(join(root, 'transactions'))
  const odd = '1,5" x,payment_v2,"{""fee"": 1}",1650000000\n'
  const content = [odd, recordOf(2, 17 * MIB), ...[3, 4, 5].map((block) => recordOf(block, 1))].join('')
  writeFileSync(join(root, 'transactions', 'data_xaa.csv.gz'), gzipSync(content, { level: 1 }))
  const openWriter = (folder: string) => openTestWriter(folder, undefined, { recordMb: 18 })
  expect(await ingestInto(lake, [join(root, 'transactions')], { openWriter })).toMatchObject({
    ...{ stored: 1, rows: 5, refusedRows: 0 },
  })
})

it.each([
  ['is skipped if the new rows are fewer than the stored ones', 4, undefined],
  ['replaces the stored file if no row is lost', 6, 'same'],
])('--replace of the same bytes with fewer refused records %s', async (_, rows, replaces) => {
  const path = join(await temporaryFolder(), 'data_xaa.csv')
  writeFileSync(path, 'a')
  const artifact = {
    path,
    name: 'data_xaa.csv',
    kind: 'l1_rewards',
    network: undefined,
    createdMs: 0,
    bytes: 1,
  }
  const source = { kind: 'l1_rewards', name: artifact.name, sha256: await hashFile(path) }
  const known = new KnownSources([{ ...source, rows: 5, refused: 3, retried: [] }])
  const statistics = { rows, partitions: [], rowsIn: () => rows, groupsIn: () => [] }
  const refused = [{ ordinal: 0n, reason: '', message: new Uint8Array(0) }]
  const decoded = { artifact, source, index: 0, statistics, refused, replaces: false }
  const listing = {
    artifacts: [artifact],
    unknown: [],
    unsupported: [],
    unreadable: [],
    exported: [],
    withoutBlocks: [],
  }
  const limits = { maxRejects: undefined, replace: true }
  const counts = new IngestCounts(listing, undefined)
  expect((await decodeNew(artifact, 0, async () => decoded, known, limits, counts))?.replaces).toBe(replaces)
})
