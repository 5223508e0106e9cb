import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makers } from '../../../src/catalog/l2/makers.ts'
import type { RowWriter } from '../../../src/engine/parquet/duckdb-row-writer.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { lakeStatus } from '../../../src/lake/snapshot/status.ts'
import { openKindReader } from '../../../src/write/ingest/decode/kinds.ts'
import type { IngestRequest } from '../../../src/write/ingest/pipeline.ts'
import { retryRejects } from '../../../src/write/ingest/retry.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { contentOf } from '../../support/lakes/lake-content.ts'
import { leftoversOf } from '../../support/lakes/leftovers.ts'
import { makerRecord, rowsBySource, versionIn, writeRecords } from '../../support/messages/record-files.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { readTable } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

/** Records of one file: address and name. */
type File = readonly (readonly [address: string, name: string])[]

async function newLake() {
  const folder = await temporaryFolder()
  const [lake, input] = [join(folder, 'lake'), join(folder, 'in')]
  mkdirSync(input)
  const pathOf = (name: string) => join(input, `makers-${name}.ndjson`)
  return {
    lake,
    input,
    pathOf,
    give: (name: string, file: File) =>
      writeRecords(
        pathOf(name),
        file.map(([address, maker]) => makerRecord(address, { name: maker })),
      ),
    take: (names: readonly string[] = [], options: Partial<IngestRequest> = {}) =>
      ingestInto(lake, names.length === 0 ? [input] : names.map(pathOf), options),
    /** `address name source ordinal` of every row, as it lies in the file. */
    async rows() {
      const rows = await readTable(lake, makers.name, ['address', 'name', 'source_file', 'ordinal'])
      return rows.map(
        (row) => `${row.address} ${row.name} ${row.source_file?.toString().slice(7, 8)}${row.ordinal}`,
      )
    },
    sources: () => rowsBySource(lake, makers),
    version: () => versionIn(lake, makers),
  }
}

const [a, b, c] = ['makers-a.ndjson', 'makers-b.ndjson', 'makers-c.ndjson']

describe('a state table holds the newest row of each key', () => {
  it('in the order of the table, whatever the names of the replaced rows', async () => {
    const { give, take, rows, sources, version } = await newLake()
    give('a', [
      ['1', 'Zoe'],
      ['2', 'Bob'],
      ['3', 'Cy'],
    ])
    await take()
    expect(await rows()).toEqual(['2 Bob a1', '3 Cy a2', '1 Zoe a0'])
    give('b', [
      ['4', 'Dan'],
      ['1', 'Ann'],
    ])
    expect(await take()).toMatchObject({ stored: 1, skipped: 1, rows: 2 })
    expect(await rows()).toEqual(['1 Ann b1', '2 Bob a1', '3 Cy a2', '4 Dan b0'])
    expect(await sources()).toEqual({ [a]: 2, [b]: 2 })
    expect(await version()).toBe(1)
  })

  it('the last record of a file wins, and the last file of a run', async () => {
    const { give, take, rows, sources } = await newLake()
    give('a', [
      ['1', 'first'],
      ['2', 'only'],
      ['1', 'second'],
    ])
    give('b', [
      ['1', 'third'],
      ['3', 'x'],
      ['1', 'a fourth'],
      ['3', 'y'],
    ])
    expect(await take()).toMatchObject({ stored: 2, rows: 7 })
    expect(await rows()).toEqual(['1 a fourth b2', '2 only a1', '3 y b3'])
    expect(await sources()).toEqual({ [a]: 1, [b]: 2 })
  })

  const files: Readonly<Record<string, File>> = {
    a: [
      ['1', 'p'],
      ['2', 'q'],
    ],
    b: [
      ['2', 'a'],
      ['3', 'b'],
      ['4', 'c'],
    ],
    c: [
      ['4', 'z'],
      ['1', 'y'],
    ],
  }
  const orders = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'].map((order) => [...order])

  it.each(scaled(orders.slice(2, 3), orders))(
    'of files that are ingested one by one: %s %s %s',
    async (...order) => {
      const { give, take, rows, sources } = await newLake()
      const newest = new Map<string, string>()
      for (const name of order) {
        const file = files[name] ?? []
        give(name, file)
        await take([name])
        for (const [at, [address, maker]] of file.entries())
          newest.set(address, `${address} ${maker} ${name}${at}`)
      }
      const wanted = [...newest.values()].sort((x, y) => (x.slice(2) < y.slice(2) ? -1 : 1))
      expect(await rows()).toEqual(wanted)
      const kept = order.map((name) => wanted.filter((row) => row.at(-2) === name).length)
      expect(await sources()).toEqual(
        Object.fromEntries(order.map((name, at) => [`makers-${name}.ndjson`, kept[at]])),
      )
    },
  )

  it('and a file without a remaining row still counts as stored', async () => {
    const { give, take, sources, version } = await newLake()
    give('a', [['1', 'x']])
    await take()
    give('b', [['1', 'y']])
    await take()
    expect(await sources()).toEqual({ [a]: 0, [b]: 1 })
    expect(await take()).toMatchObject({ stored: 0, skipped: 2 })
    expect(await version()).toBe(1)
  })

  it('also if a run needs several commits, each on top of the one before', async () => {
    const { give, take, rows, version } = await newLake()
    for (const name of ['a', 'b', 'c']) give(name, files[name] ?? [])
    await take([], { commitRows: 2 })
    expect(await version()).toBe(2)
    expect(await rows()).toEqual(['2 a b0', '3 b b1', '1 y c1', '4 z c0'])
  })
})

describe('a file of a stored name with other bytes', () => {
  it('is refused, and the lake does not change', async () => {
    const { lake, give, take } = await newLake()
    give('a', [['1', 'x']])
    await take()
    const before = contentOf(lake)
    give('a', [['1', 'y']])
    const { stored, failed } = await take()
    expect(stored).toBe(0)
    expect(failed.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('the same bytes or another name'),
    ])
    expect(contentOf(lake)).toEqual(before)
  })

  it('replaces the stored one with --replace, and removes its remaining rows in the same commit', async () => {
    const { give, take, rows, sources, version } = await newLake()
    give('a', [
      ['1', 'x'],
      ['2', 'x'],
    ])
    give('b', [
      ['2', 'y'],
      ['3', 'y'],
    ])
    await take()
    give('a', [['4', 'z']])
    await take([], { replace: true })
    expect(await rows()).toEqual(['2 y b0', '3 y b1', '4 z a0'])
    expect(await sources()).toEqual({ [b]: 2, [a]: 1 })
    expect(await version()).toBe(1)
  })
})

describe('--replace-all', () => {
  const replaceAll = { replaceAll: true }

  it('replaces the whole table with the files of the run in one commit, including stored files', async () => {
    const { give, take, rows, sources, version } = await newLake()
    for (const name of ['a', 'b', 'c']) {
      give(name, [
        [name, 'x'],
        ['shared', name],
      ])
    }
    await take()
    await take(['c', 'a'], { ...replaceAll, commitRows: 1 })
    expect(await rows()).toEqual(['shared c c1', 'a x a0', 'c x c0'])
    expect(await sources()).toEqual({ [a]: 1, [c]: 2 })
    expect(await version()).toBe(1)
  })

  it('makes an empty table of a list without elements', async () => {
    const { give, take, rows, input } = await newLake()
    give('a', [['1', 'x']])
    await take()
    writeFileSync(join(input, 'makers-none.json'), '[]')
    rmSync(join(input, a))
    expect(await take([], replaceAll)).toMatchObject({ stored: 1, rows: 0, failed: [] })
    expect(await rows()).toEqual([])
  })

  it('does not change the table if one of the files is broken', async () => {
    const { lake, give, take, input, pathOf } = await newLake()
    give('a', [['1', 'x']])
    await take()
    const before = contentOf(lake)
    give('b', [['2', 'y']])
    writeFileSync(join(input, 'makers-c.json'), '[{')
    const { stored, failed } = await take([], replaceAll)
    expect(stored).toBe(0)
    expect(failed).toEqual([
      { path: join(input, 'makers-c.json'), reason: expect.stringContaining('the list breaks off') },
      {
        path: pathOf('a'),
        reason: expect.stringContaining('another file that should be in the whole table'),
      },
      {
        path: pathOf('b'),
        reason: expect.stringContaining('another file that should be in the whole table'),
      },
    ])
    expect(contentOf(lake)).toEqual(before)
  })

  it('is refused when no file is one of a state table', async () => {
    const { take, input, lake } = await newLake()
    writeFileSync(join(input, 'iot_reward_share.1.gz'), '')
    await expect(take([], replaceAll)).rejects.toThrow(
      `--replace-all is given and there is no file of makers, hotspots, l1_accounts, l1_gateways in ${input}`,
    )
    expect(leftoversOf(lake)).toEqual([])
  })
})

describe('refused records', () => {
  it('are counted while their file is stored, and removed with it', async () => {
    const { lake, take, input, give } = await newLake()
    const refused = async () =>
      lakeStatus(await new Lake(lake).latest()).tables.map(({ table, rows, refused: count }) => [
        table,
        rows,
        count,
      ])
    writeRecords(join(input, a), [makerRecord('1'), {}, makerRecord('2')])
    await take()
    expect(await refused()).toEqual([
      ['rejects', 1, 0],
      ['makers', 2, 1],
    ])
    give('b', [['1', 'x']])
    await take()
    expect(await refused()).toContainEqual(['makers', 2, 1])
    give('a', [['3', 'x']])
    await take([], { replace: true })
    expect(await refused()).toEqual([
      ['rejects', 0, 0],
      ['makers', 2, 0],
    ])
  })
})

it('a retry of refused messages does not change state tables', async () => {
  const { lake, take, input, rows, version } = await newLake()
  writeRecords(join(input, a), [makerRecord('1', { name: 'x' }), {}])
  await take()
  // A build that takes whatever comes.
  const openReader: typeof openKindReader = (kind) => {
    const reader = openKindReader(kind)
    return { ...reader, decoder: { ...reader.decoder, decode: () => null } }
  }
  const retried = await retryRejects({ lake, kinds: ['makers'], openWriter: openTestWriter, openReader })
  expect(retried).toMatchObject({ rejects: 0, taken: 0, leftAlone: 1 })
  expect(await rows()).toEqual(['1 x a0'])
  expect(await version()).toBe(0)
})

describe('a failure during the run leaves the table unchanged:', () => {
  const broken: Readonly<Record<string, (writer: RowWriter) => Partial<RowWriter>>> = {
    'a writer that cannot merge': () => ({ upsert: () => Promise.reject(new Error('no')) }),
    'a writer that loses rows': (writer) => ({ upsert: async (...of) => (await writer.upsert(...of)) + 1 }),
    'a row of another source': (writer) => ({
      upsert: (resource, upsert) =>
        writer.upsert(resource, { ...upsert, sources: [...upsert.sources].reverse() }),
    }),
    'old rows that stay beside new ones': (writer) => ({
      async upsert(resource, { files, arriving, to }) {
        await writer.merge(resource, files[0] ?? '', arriving, to)
        return 3
      },
    }),
    'rows out of order': (writer) => ({
      readStateFacts: async (...of) => ({ ...(await writer.readStateFacts(...of)), misplaced: 1 }),
    }),
  }

  it.each(Object.entries(broken))('%s', async (_what, breaking) => {
    const { lake, give, take } = await newLake()
    give('a', [['1', 'x']])
    await take()
    const before = contentOf(lake)
    give('b', [['1', 'y']])
    give('c', [['1', 'z']])
    const openWriter = async (spillFolder: string) => {
      const writer = await openTestWriter(spillFolder)
      return { ...writer, ...breaking(writer) }
    }
    await expect(take([], { openWriter })).rejects.toThrow(/^no$|does not hold what was written to it/)
    expect(contentOf(lake)).toEqual(before)
    expect(leftoversOf(lake)).toEqual([])
  })
})

describe('of two runs at once', () => {
  /** Ingests `mine` while another run commits `theirs` just before. */
  async function race(mine: File, nameOfTheirs: string, theirs: File, options: Partial<IngestRequest> = {}) {
    const made = await newLake()
    const { lake, give, take } = made
    give('a', [
      ['0', 'old'],
      ['1', 'old'],
    ])
    await take()
    const other = await newLake()
    other.give(nameOfTheirs, theirs)
    give('b', mine)
    let isFirst = true
    const openWriter = async (spillFolder: string) => {
      const writer = await openTestWriter(spillFolder)
      const readStateFacts: typeof writer.readStateFacts = async (...of) => {
        if (isFirst) await ingestInto(lake, [other.input])
        isFirst = false
        return await writer.readStateFacts(...of)
      }
      return { ...writer, readStateFacts }
    }
    const summary = await take(['b'], { openWriter, ...options })
    expect(leftoversOf(lake)).toHaveLength(0)
    return { ...made, summary }
  }

  it('the second is applied on top of the first', async () => {
    const { rows, sources, version } = await race([['1', 'mine']], 'c', [
      ['1', 'theirs'],
      ['2', 'theirs'],
    ])
    expect(await rows()).toEqual(['1 mine b0', '0 old a0', '2 theirs c1'])
    expect(await sources()).toEqual({ [a]: 1, [c]: 1, [b]: 1 })
    expect(await version()).toBe(2)
  })

  it('a file that the other has stored counts as stored', async () => {
    const { summary, version } = await race([['1', 'x']], 'b', [['1', 'x']])
    expect(summary).toMatchObject({ stored: 0, skipped: 1, failed: [] })
    expect(await version()).toBe(1)
  })

  it('other bytes that the other stored under the same name remain', async () => {
    const { summary, rows } = await race([['1', 'mine']], 'b', [['1', 'theirs']])
    expect(summary.failed.map(({ reason }) => reason)).toEqual([expect.stringContaining('with other bytes')])
    expect(await rows()).toEqual(['0 old a0', '1 theirs b0'])
  })

  it('--replace-all replaces the rows of the other', async () => {
    const { rows, version } = await race([['1', 'mine']], 'c', [['2', 'theirs']], { replaceAll: true })
    expect(await rows()).toEqual(['1 mine b0'])
    expect(await version()).toBe(2)
  })
})
