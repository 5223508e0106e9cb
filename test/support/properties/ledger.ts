import fc from 'fast-check'
import type { Row } from '../../../src/catalog/resource.ts'

/** Rewards of the L1 ledger drawn at random, and what their list says by a plain reduction. */

export interface Reward extends Row {
  readonly source_file: string
  readonly ordinal: bigint
  readonly block: bigint
  readonly transaction_hash: string
  readonly time: bigint
  readonly account_address: string | null
  readonly gateway_address: string | null
  readonly amount: bigint
  readonly type: string
}

type Parameters = Readonly<Record<string, string>>

const hashes = ['a', 'b', 'B', '-', '_x', '9', '\uffff', '\u{1d11e}', 'z'.repeat(200)]
const names = ['1single', '1other', ' 1', '"quoted"', 'with, comma', 'line\nbreak', '\u{1d11e}']
const kinds = ['poc_witness', 'dc_rewards', 'securities_reward']
const blocks = [1n, 99_999n, 100_000n, 2n ** 53n + 1n]
/** Ends of months, the first second and a late one. */
const times = [0n, 1_640_995_199n, 1_640_995_200n, 1_643_673_600n, 253_402_300_799n]

const reward = fc.record({
  block: fc.oneof(fc.constantFrom(...blocks), fc.bigInt(0n, 5n)),
  transaction_hash: fc.constantFrom(...hashes),
  time: fc.oneof(fc.constantFrom(...times), fc.bigInt(1_640_995_190n, 1_640_995_210n)),
  account_address: fc.option(fc.constantFrom(...names), { freq: 5 }),
  gateway_address: fc.option(fc.constantFrom(...names), { freq: 3 }),
  amount: fc.oneof(fc.constantFrom(0n, 2n ** 53n + 1n, 2n ** 63n - 1n), fc.bigInt(0n, 2n ** 63n - 1n)),
  type: fc.constantFrom(...kinds),
})

/** Rewards by the part of the archive that they stand in. */
export const rewardParts: fc.Arbitrary<readonly (readonly Reward[])[]> = fc
  .array(fc.array(reward, { minLength: 1, maxLength: 80, size: 'max' }), {
    minLength: 1,
    maxLength: 4,
    size: 'max',
  })
  .map((parts) => parts.map((rows, part) => rows.map((row, at) => placed(row, part, at))))

function placed(row: Omit<Reward, 'source_file' | 'ordinal'>, part: number, at: number): Reward {
  return { ...row, source_file: partName(part), ordinal: BigInt(at) } as Reward
}

export const partName = (part: number) => `data_xa${'abcd'.charAt(part)}.csv.gz`

const timeText = (seconds: bigint) => `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`
const from = fc.constantFrom(...times.slice(0, 4)).map(timeText)
const to = fc.constantFrom(...times.slice(1)).map(timeText)
/** One in six: more than two filters at once seldom find anything. */
const rarely = (texts: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: texts })

/** Filters of the list, each of them rarely given; `from` is before `to`. */
export const rewardFilters: fc.Arbitrary<Parameters> = fc
  .record({
    account_address: rarely(fc.constantFrom(...names, '1nobody')),
    gateway_address: rarely(fc.constantFrom(...names, 'toString')),
    transaction_hash: rarely(fc.constantFrom(...hashes)),
    type: rarely(fc.constantFrom(...kinds, 'rare')),
    block: rarely(fc.constantFrom(...blocks, 3n, 77n).map(String)),
    from: rarely(from),
    to: rarely(to),
  })
  .map(
    (given) =>
      Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Parameters,
  )
  .filter(
    ({ from: start, to: end }) =>
      start === undefined || end === undefined || Date.parse(start) < Date.parse(end),
  )

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const secondsOf = (text: string) => BigInt(Date.parse(text)) / 1000n

/** The rewards of a query in the order of their list. */
export function rewardsOf(parts: readonly (readonly Reward[])[], filters: Parameters): readonly Reward[] {
  const matches = (row: Reward) =>
    Object.entries(filters).every(([name, value]) => {
      if (name === 'from') return row.time >= secondsOf(value)
      if (name === 'to') return row.time <= secondsOf(value)
      return name === 'block' ? row.block === BigInt(value) : row[name] === value
    })
  return parts
    .flat()
    .filter(matches)
    .sort(
      (a, b) =>
        (a.block < b.block ? -1 : Number(a.block > b.block)) ||
        compareBytes(a.transaction_hash, b.transaction_hash) ||
        compareBytes(a.source_file, b.source_file) ||
        Number(a.ordinal - b.ordinal),
    )
}

const cells = ['block', 'transaction_hash', 'time', 'account', 'gateway', 'amount', 'type'] as const

/** A part of the archive; the first one has the header. */
export function csvOf(rows: readonly Reward[], hasHeader: boolean): string {
  const quoted = (value: unknown) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`)
  const lines = rows.map((row) =>
    [
      ...[row.block, row.transaction_hash, row.time, row.account_address, row.gateway_address],
      ...[row.amount, row.type],
    ].map(quoted),
  )
  return [...(hasHeader ? [[...cells]] : []), ...lines].map((line) => `${line.join(',')}\n`).join('')
}
