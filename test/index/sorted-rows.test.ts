import { hash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { text, type Value, whole } from '../../src/catalog/column.ts'
import type { Predicate } from '../../src/catalog/query/plan.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { type BlockFile, openBlockFile } from '../../src/index/blocks/block-file.ts'
import { BlockFileWriter } from '../../src/index/blocks/block-file-writer.ts'
import { BLOCK_ROWS } from '../../src/index/blocks/block-layout.ts'
import { BlockReading } from '../../src/index/blocks/block-reading.ts'
import { NarrowedRows } from '../../src/index/narrow-rows.ts'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'
import { findRows } from '../support/find-rows.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const events: Resource = {
  name: 'events',
  doc: 'Rows of which many begin alike.',
  columns: { height: whole(''), hash: text(''), ordinal: whole('') },
  order: [{ column: 'height' }, { column: 'hash' }, { column: 'ordinal' }],
  partition: null,
}

interface EventRow {
  readonly height: bigint
  readonly hash: string
  readonly ordinal: bigint
}

const random = openRandom(deriveSeed('sorted rows'))
const hashOf = (number: number) => `hash${String(number).padStart(3, '0')}`

/** Some heights have one row, and one in ten has several blocks of them. */
const rows: readonly EventRow[] = Array.from({ length: 30 }, (_, height) =>
  Array.from({ length: height % 10 === 3 ? 4 * BLOCK_ROWS : 1 + random.below(8) }, () =>
    hashOf(random.below(400)),
  )
    .sort()
    .map((hash, ordinal) => ({ height: BigInt(height * 2), hash, ordinal: BigInt(ordinal) })),
).flat()

async function writeFile(resource: Resource, columns: Readonly<Record<string, readonly Value[]>>) {
  const path = join(await temporaryFolder(), `${resource.name}.blocks`)
  const writer = await BlockFileWriter.create(path, resource, 'the digest')
  const [first = []] = Object.values(columns)
  await writer.append({ rows: first.length, columns })
  await writer.finish()
  return openBlockFile(path, resource, 'the digest')
}

let file: BlockFile

beforeAll(async () => {
  file = await writeFile(events, {
    height: rows.map(({ height }) => height),
    hash: rows.map(({ hash }) => hash),
    ordinal: rows.map(({ ordinal }) => ordinal),
  })
})

afterAll(() => file.close())

const matches = ['equals', 'atLeast', 'atMost'] as const

/** Of a row that there is, mostly; of heights and hashes between and beyond those that there are too. */
function drawPredicates(): readonly Predicate[] {
  const row = rows[random.below(rows.length)] as EventRow
  const other: EventRow = {
    height: BigInt(random.below(62)) - 1n,
    hash: hashOf(random.below(401)),
    ordinal: 5n,
  }
  const from = random.below(3) === 0 ? other : row
  const shape = matches[random.below(3)] ?? 'equals'
  return [
    { column: 'height', match: random.below(4) === 0 ? shape : 'equals', value: from.height },
    ...(random.below(4) === 0 ? [] : [{ column: 'hash', match: shape, value: from.hash }]),
    ...(random.below(3) === 0 ? [{ column: 'hash', match: 'atMost' as const, value: other.hash }] : []),
    ...(random.below(3) === 0 ? [{ column: 'ordinal', match: 'equals' as const, value: from.ordinal }] : []),
  ]
}

const compare = (a: unknown, b: unknown) =>
  Number((a as string) > (b as string)) - Number((a as string) < (b as string))

function satisfies(row: EventRow, { column, match, value }: Predicate): boolean {
  const difference = compare(row[column as keyof EventRow], value)
  return match === 'equals' ? difference === 0 : match === 'atLeast' ? difference >= 0 : difference <= 0
}

it('a search by several columns of the order finds the rows of a plain loop', () => {
  const seen = { none: 0, one: 0, few: 0, several: 0, laterBlocks: 0 }
  for (let draw = 0; draw < scaled(2000, 20_000); draw += 1) {
    const where = drawPredicates()
    const expected = rows.filter((row) => where.every((predicate) => satisfies(row, predicate)))
    const first = expected[0] && rows.indexOf(expected[0])
    const likely = [undefined, random.below(rows.length + BLOCK_ROWS), first, first && first + 1][draw % 4]
    const found = findRows(file, where, likely)
    const name = JSON.stringify([likely, where], (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    expect(found?.total, name).toBe(expected.length)
    expect(found?.read(0, 40, ['height', 'hash', 'ordinal']), name).toEqual(expected.slice(0, 40))
    seen[
      expected.length === 0 ? 'none' : expected.length === 1 ? 'one' : expected.length < 5 ? 'few' : 'several'
    ] += 1
    if ((expected[0]?.ordinal ?? 0n) > 2n * BigInt(BLOCK_ROWS)) seen.laterBlocks += 1
  }
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(20)
})

it('a search with two fixed columns compares no row with other values', () => {
  const [row] = rows.filter(({ height }) => height === 6n)
  const where = (hash: string): readonly Predicate[] => [
    { column: 'height', match: 'equals', value: 6n },
    { column: 'hash', match: 'equals', value: hash },
  ]
  expect(new NarrowedRows(file, where(row?.hash ?? '')).residual).toEqual([])
  const ordinal: Predicate = { column: 'ordinal', match: 'equals', value: row?.ordinal ?? 0n }
  expect(new NarrowedRows(file, [...where(row?.hash ?? ''), ordinal]).residual).toEqual([])
})

it('evenly distributed keys take fewer comparisons than binary search', async () => {
  const numbers = Array.from({ length: 8000 }, (_, at) => at)
  const columns = {
    hash: numbers.map((own) => hash('sha256', String(own), 'base64url')).sort(),
    height: numbers.map((own) => BigInt(own * 1000 + random.below(1000))),
  }
  for (const [column, values] of Object.entries(columns)) {
    const spread: Resource = {
      ...events,
      columns: { hash: text(''), height: whole('') },
      order: [{ column }],
    }
    const own = await writeFile(spread, columns)
    const compare = vi.spyOn(BlockReading.prototype, 'compare')
    for (const value of values) {
      const found = findRows(own, [{ column, match: 'equals', value }])
      expect(found?.read(0, 2, [column]), String(value)).toEqual([{ [column]: value }])
    }
    // Two of them find the end; halving 256 rows would take eight more.
    expect(compare.mock.calls.length / values.length, column).toBeLessThan(8)
    compare.mockClear()
    for (const [row, value] of values.entries())
      expect(findRows(own, [{ column, match: 'equals', value }], row)?.total).toBe(1)
    expect(compare.mock.calls.length / values.length, `${column}, in a likely row`).toBeLessThanOrEqual(4)
    compare.mockRestore()
    own.close()
  }
})
