import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { openKindReader } from '../../src/write/ingest/decode/kinds.ts'
import { openRowSink } from '../../src/write/ingest/decode/row-sink.ts'
import type { IngestWriter } from '../../src/write/ports/ingest-writer.ts'
import { openProtobufReader } from '../../src/write/wire/reader.ts'
import { hotspot } from '../support/lakes/make-lake.ts'
import { dec, len, message, num, period } from '../support/messages/oracle-messages.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { readExactRows } from '../support/tables/delta-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** One Mobile share: its variant by number of the wire, and which of the hotspots. */
interface Share {
  readonly ordinal: number
  readonly field: 4 | 5 | 8
  readonly hotspot: number
}

const messageOf = ({ field, hotspot: number }: Share) => {
  const { raw } = hotspot(number)
  return message(period(), len(field, len(1, raw), ...(field === 8 ? [dec(3, '1.5')] : [num(2, number)])))
}

async function newWriter(memoryMb: number) {
  const folder = await temporaryFolder()
  const writer = await openTestWriter(folder, undefined, { memoryMb })
  onTestFinished(() => writer.close())
  return { folder, writer }
}

/** Writes shares as one file, sorted as the table is. */
async function writeShares(writer: IngestWriter, path: string, shares: readonly Share[]): Promise<void> {
  const reader = openKindReader('mobile_reward_share')
  const stage = await writer.openStage(mobileRewardShares, reader.shapes)
  const sink = openRowSink(reader, 0, stage)
  for (const share of shares) {
    const bytes = messageOf(share)
    const origin = { kind: 'mobile_reward_share', network: undefined } as const
    sink.take(openProtobufReader(bytes), bytes.length, BigInt(share.ordinal), origin)
  }
  sink.flush()
  await stage.write(path, new Map([[0, 'a.gz']]), '2025-02')
  await stage.drop()
}

const typeOf = { 4: 'gateway_reward', 5: 'subscriber_reward', 8: 'radio_reward_v2' } as const
const keys = new Map<number, string>()
const keyOf = (number: number) => keys.get(number) ?? keys.set(number, hotspot(number).text).get(number) ?? ''

/** The ordinals of shares in the order of the table: by type, key (none for subscribers), ordinal. */
function inOrder(shares: readonly Share[]): readonly bigint[] {
  const bytes = (share: Share) =>
    Buffer.from(`${typeOf[share.field]} ${share.field === 5 ? '' : keyOf(share.hotspot)}`)
  return shares
    .map((share) => ({ ordinal: share.ordinal, bytes: bytes(share) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes) || a.ordinal - b.ordinal)
    .map(({ ordinal }) => BigInt(ordinal))
}

const ordinalsIn = async (path: string) => (await readExactRows(path, ['ordinal'])).map((row) => row.ordinal)
const sharesOf = (count: number, field: Share['field'], from = 0) =>
  Array.from(
    { length: count },
    (_, at): Share => ({ ordinal: from + at, field, hotspot: (at * 7919) % 50_000 }),
  )

it('a file of two variants that each fill row groups is in the order of the table', async () => {
  const { folder, writer } = await newWriter(224)
  const rows = scaled(12_000, 130_000)
  const shares = [...sharesOf(rows, 4), ...sharesOf(rows, 8, rows)]
  const path = join(folder, 'both.parquet')
  await writeShares(writer, path, shares)
  expect(await ordinalsIn(path)).toEqual(inOrder(shares))
})

const twoInThree = ({ ordinal }: Share) => ordinal % 3 !== 0

it.each<[string, (share: Share) => boolean]>([
  ['a few', ({ ordinal }) => ordinal % 997 === 0],
  ['two in three', twoInThree],
  ['a whole variant in one place', ({ field }) => field === 4],
  ['a whole variant behind all others', ({ field }) => field === 5],
  ['all', () => true],
])('new rows are merged into the order of the file: %s', async (_what, arrives) => {
  const { folder, writer } = await newWriter(96)
  // One of them by more rows than are held at once.
  const unit = scaled(arrives === twoInThree ? 1_700 : 500, 5_000)
  const shares = [
    ...sharesOf(14 * unit, 4),
    ...sharesOf(8 * unit, 8, 14 * unit),
    ...sharesOf(7 * unit, 5, 22 * unit),
  ]
  const [old, arriving, merged] = ['old', 'arriving', 'merged'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeShares(
    writer,
    old,
    shares.filter((share) => !arrives(share)),
  )
  await writeShares(writer, arriving, shares.filter(arrives))
  await writer.merge(mobileRewardShares, old, arriving, merged)
  expect(await ordinalsIn(merged)).toEqual(inOrder(shares))
})

it('a row that both files have is reported, and no file is written', async () => {
  const { folder, writer } = await newWriter(96)
  const [old, arriving] = [join(folder, 'old'), join(folder, 'arriving')]
  await writeShares(writer, old, sharesOf(3, 4))
  await writeShares(writer, arriving, [...sharesOf(1, 5, 7), ...sharesOf(3, 4).slice(2)])
  await expect(writer.merge(mobileRewardShares, old, arriving, join(folder, 'merged'))).rejects.toThrow(
    'already has message 2 of a.gz',
  )
})
