import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type BlockRange, readBlockRange } from '../../../src/write/ingest/files/block-range.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { loggedSources, readTable } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const lines = [10, 20, 30, 40].map((block) => `${block},h${block},1600000000,a,g,1,poc_witness\n`)

async function archive(): Promise<{ root: string; lake: string }> {
  const root = await temporaryFolder()
  const files = {
    'rewards/a.csv.gz': gzipSync(lines.join('')),
    'account_inventory/a.csv.gz': gzipSync('a,1,2,3,4,5,6,7,8,9,10,11\n'),
  }
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(root, 'in', name, '..'), { recursive: true })
    writeFileSync(join(root, 'in', name), bytes)
  }
  return { root: join(root, 'in'), lake: join(root, 'lake') }
}

const blocks = (text: string) => readBlockRange(text) as BlockRange

/** Blocks and ordinals of the rows, by block. */
async function held(lake: string): Promise<readonly (readonly bigint[])[]> {
  const rows = await readTable(lake, 'l1_rewards')
  return rows
    .map(({ block, ordinal }) => [block as bigint, ordinal as bigint])
    .sort((a, b) => Number((a[0] ?? 0n) - (b[0] ?? 0n)))
}

describe('a range of blocks', () => {
  it.each([
    ['10..20', [10n, 20n]],
    ['7..7', [7n, 7n]],
    ['..5', [0n, 5n]],
    ['5..', [5n, 9_223_372_036_854_775_807n]],
  ])('%s has both ends', (text, [first, last]) => {
    expect(readBlockRange(text)).toEqual({ first, last })
  })

  it.each(['', '..', '5', '6..5', '-1..5', '1..x', '1...3', '9223372036854775808..'])('is not %j', (text) => {
    expect(readBlockRange(text)).toBeUndefined()
  })
})

describe('an ingest of some blocks', () => {
  it('stores the records of these blocks with their positions in the file', async () => {
    const { root, lake } = await archive()
    const summary = await ingestInto(lake, [root], { blocks: blocks('20..30') })
    expect(summary).toMatchObject({ read: 1, stored: 1, rows: 2, failed: [] })
    expect(await held(lake)).toEqual([
      [20n, 1n],
      [30n, 2n],
    ])
    expect(loggedSources(lake, 'l1_rewards').map(({ name }) => name)).toEqual(['a.csv.gz#20..30'])
  })

  it('skips tables without blocks and says so', async () => {
    const { root, lake } = await archive()
    const { withoutBlocks } = await ingestInto(lake, [root], { blocks: blocks('20..30') })
    expect(withoutBlocks).toEqual([join(root, 'account_inventory/a.csv.gz')])
    expect(await readTable(lake, 'l1_accounts')).toEqual([])
  })

  it('stores the whole file by disjoint ranges, each row once', async () => {
    const { root, lake } = await archive()
    for (const range of ['..19', '20..30', '31..']) {
      expect(await ingestInto(lake, [root], { blocks: blocks(range) })).toMatchObject({ stored: 1 })
      expect(await ingestInto(lake, [root], { blocks: blocks(range) })).toMatchObject({
        stored: 0,
        skipped: 1,
      })
    }
    expect(await held(lake)).toEqual([
      [10n, 0n],
      [20n, 1n],
      [30n, 2n],
      [40n, 3n],
    ])
  })

  it.each(['30..35', '..20', '1..100', '25..25'])('is refused if the lake has some of %s', async (range) => {
    const { root, lake } = await archive()
    await ingestInto(lake, [root], { blocks: blocks('20..30') })
    const { failed } = await ingestInto(lake, [root], { blocks: blocks(range) })
    expect(failed.map(({ reason }) => reason)).toEqual([
      'the lake holds a.csv.gz#20..30, which has blocks of this file already; ' +
        'use a range of other blocks, or --replace, which takes it out',
    ])
    expect(await held(lake)).toHaveLength(2)
  })

  it('is replaced by the whole file, and the whole file by blocks, with --replace', async () => {
    const { root, lake } = await archive()
    for (const range of ['..19', '20..30']) await ingestInto(lake, [root], { blocks: blocks(range) })
    const { failed } = await ingestInto(lake, [root])
    expect(failed.map(({ reason }) => reason)).toEqual([
      'the lake holds a.csv.gz#0..19, a.csv.gz#20..30, which have blocks of this file already; ' +
        'use a range of other blocks, or --replace, which takes them out',
    ])
    const whole = await ingestInto(lake, [root], { replace: true })
    expect(whole).toMatchObject({ failed: [] })
    expect(await held(lake)).toHaveLength(4)
    await ingestInto(lake, [root], { blocks: blocks('40..'), replace: true })
    expect(await held(lake)).toEqual([[40n, 3n]])
  })

  it('keeps rejected records with their positions in the whole file', async () => {
    const { root, lake } = await archive()
    const bad = [...lines, '50,h,x,a,g,1,t\n', 'y,h,1,a,g,1,t\n', '1,2\n', '20,h,x,a,g,1,t\n'].join('')
    writeFileSync(join(root, 'rewards/a.csv.gz'), gzipSync(bad))
    const summary = await ingestInto(lake, [root], { blocks: blocks('15..25') })
    expect(summary).toMatchObject({ rows: 1, refusedRows: 3 })
    const rejects = await readTable(lake, 'rejects')
    expect(rejects.map(({ ordinal, reason }) => [ordinal, reason])).toEqual([
      [5n, 'block is "y"; expected a whole number from 0 to 9223372036854775807'],
      [6n, 'time is "x"; expected a whole number from 0 to 253402300799'],
      [7n, 'record 7 has 2 cells; expected 7'],
    ])
  })
})
