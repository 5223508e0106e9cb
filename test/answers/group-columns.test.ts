import { expect, it, onTestFinished } from 'vitest'
import { amount, instant, oneOf, optional, origin, text } from '../../src/catalog/column.ts'
import { asColumns } from '../../src/catalog/members.ts'
import { defineResource, type Row } from '../../src/catalog/resource.ts'
import { openKeyIndex } from '../../src/index/keyed/key-index.ts'
import { readNewestTable, Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'
import { storeMadeUp } from '../support/lakes/store-made-up.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A table whose groups have columns of other names than those of reward shares. */
const payments = defineResource({
  name: 'payments',
  doc: 'What somebody was paid.',
  columns: {
    ...origin,
    reason: oneOf(['work', 'luck'], 'What for.'),
    paid_at: instant('When.'),
    payee: optional(text('Who.')),
    paid: optional(amount('How much.')),
  },
  order: [
    { column: 'paid_at' },
    { column: 'reason' },
    { column: 'source_file' },
    { column: 'payee' },
    { column: 'ordinal' },
  ],
  partition: { by: 'month', of: 'paid_at' },
  statistics: { period: 'paid_at', type: 'reason' },
  keyed: 'payee',
  access: { bounds: ['paid_at'], counts: ['reason'], sorted: [], pointers: [] },
  record: asColumns('reason', 'paid_at'),
  variants: {
    on: 'reason',
    as: 'detail',
    cases: { work: asColumns('payee', 'paid'), luck: asColumns('paid') },
  },
  filters: {
    from: { column: 'paid_at', match: 'atLeast', doc: 'Earliest.' },
    reason: { column: 'reason', match: 'equals', doc: 'What for.' },
    payee: { column: 'payee', match: 'equals', doc: 'Who.' },
  },
  totals: { total_paid: 'paid' },
})

const DAY = 86_400_000_000n
const first = BigInt(Date.UTC(2025, 0, 30)) * 1000n

/** Four payments a day, from the last days of January on. */
const work = (days: number, paid: bigint): readonly Row[] =>
  Array.from({ length: days * 4 }, (_, place) => ({
    paid_at: first + BigInt(Math.floor(place / 4)) * DAY,
    payee: place % 4 === 3 ? null : `payee ${place % 4}`,
    paid: paid + BigInt(place),
  }))

async function storedPayments() {
  const lake = await temporaryFolder()
  // Opened first: the program knows no table of that name, and takes a folder that holds others for no lake.
  const services = await openServices(readSettings({}, { lake, state: await temporaryFolder() }), {
    moreTables: [payments],
  })
  await storeMadeUp(lake, payments, { a: work(4, 2n ** 63n), b: work(2, 1n) }, 'work')
  await storeMadeUp(lake, payments, { c: [{ paid_at: first + DAY, payee: null, paid: 5n }] }, 'luck')
  const index = openKeyIndex(await temporaryFolder(), openTestWriter, 0)
  onTestFinished(async () => {
    index.close()
    await services.close()
  })
  const table = await readNewestTable(lake, payments)
  return { services, index, table, at: new Snapshot([table]) }
}

it('the declared group columns of a table are used for counts, sums, pages and indexes', async () => {
  const { services, index, table, at } = await storedPayments()
  const { repository } = services
  const since = { from: first + DAY }

  const logged = repository.totals(payments, { ...since, reason: 'work' }, at)
  expect(logged.by).toBe('log')
  // Days 2 to 4 of source a, places 4 to 15; day 2 of source b, places 4 to 7.
  const sum = 12n * 2n ** 63n + 114n + 4n + 22n
  expect(await logged.read()).toEqual({ total_paid: sum })
  expect(await repository.totals(payments, since, at).read()).toEqual({ total_paid: sum + 5n })

  const page = await repository.list(payments, since, { page: 2, perPage: 4 }, at).read()
  expect(page.total).toBe(17)
  // Luck comes before work on the second day; without a payee comes first.
  const paid = page.records.map(({ object: record }) => [record.reason, record.paid_at, record.detail])
  const day = '2025-01-31T00:00:00Z'
  expect(paid).toEqual([
    ['work', day, { payee: 'payee 2', paid: 2n ** 63n + 6n }],
    ['work', day, { payee: null, paid: 8n }],
    ['work', day, { payee: 'payee 0', paid: 5n }],
    ['work', day, { payee: 'payee 1', paid: 6n }],
  ])

  const after = [first + DAY, 'work', 'a', 'payee 2', 6n]
  const request = { first: 1, last: undefined, after, before: undefined }
  const next = await repository.connection(
    payments,
    since,
    request,
    { columns: ['paid_at', 'reason', 'paid'], manifests: false },
    at,
  )
  expect(next.nodes.map(({ row }) => row)).toEqual([{ paid_at: first + DAY, reason: 'work', paid: 8n }])

  await index.build(at)
  expect(await index.load(at)).toEqual([])
  const whole = { from: -(2n ** 63n), to: 2n ** 63n - 1n }
  expect(index.sums(table, 'payee 1', whole, ['paid'])).toEqual({ paid: 4n * 2n ** 63n + 28n + 8n })
  const rows = index.rows(table, 'payee 1', { ...whole, type: 'work' })
  expect(rows?.total).toBe(6)
  expect(rows?.read(0, 2)).toEqual([
    ...[
      { source_file: 'a', paid: 2n ** 63n + 1n },
      { source_file: 'b', paid: 2n },
    ].map((row) => ({ ...row, ordinal: 1n, reason: 'work', paid_at: first, payee: 'payee 1' })),
  ])
})
