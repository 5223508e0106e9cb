import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSampleNetwork } from '../../../src/write/sample/write-sample-network.ts'
import type { ExactRow } from '../delta-table.ts'
import { manifest, writeOracleFiles } from '../make-lake.ts'
import { dayEnd, dayStart, frameFile, len, message, operational } from '../oracle-messages.ts'
import { readSource } from '../oracle-rows.ts'
import { type SourceSums, sumSources } from './visible.ts'

/** What ingests that are killed take in, and what has to be in the lake when they are through. */

/** One ingest, and every source that the lake holds after it. */
export interface Step {
  readonly name: string
  readonly args: readonly string[]
  readonly sources: readonly SourceSums[]
}

const unknownReward = message(len(12, 'a reward of another time'))

/** A file of operational shares; a null stands for a message that is refused. */
export function craftShares(
  path: string,
  name: string,
  amounts: readonly (bigint | null)[],
): readonly SourceSums[] {
  const messages = amounts.map((amount) => (amount === null ? unknownReward : operational(amount)))
  writeFileSync(path, frameFile(messages))
  const rows = amounts.map((amount, ordinal): ExactRow => {
    const reject = { source_file: name, ordinal: BigInt(ordinal) }
    const period = { start_period: BigInt(dayStart) * 1_000_000n, end_period: BigInt(dayEnd) * 1_000_000n }
    return amount === null ? reject : { ...reject, ...period, amount }
  })
  return [
    ...sumSources(
      'iot_reward_shares',
      rows.filter((_, ordinal) => amounts[ordinal] !== null),
    ),
    ...sumSources(
      'rejects',
      rows.filter((_, ordinal) => amounts[ordinal] === null),
    ),
  ]
}

export async function sampleSources(
  out: string,
  start: string,
  hotspots: number,
): Promise<readonly SourceSums[]> {
  const paths: string[] = []
  const onFile = (path: string) => paths.push(join(out, path))
  await writeSampleNetwork({ out, days: 2, hotspots, seed: 'kills', start, onFile })
  return paths.flatMap((path) => {
    const { table, rows } = readSource(path)
    return sumSources(table, rows)
  })
}

const amountsOf = (count: number, amount: (number: bigint) => bigint | null) =>
  Array.from({ length: count }, (_, number) => amount(BigInt(number)))

/**
 * Three ingests, each on top of the one before: days over the end of a month, more days, and other bytes for two
 * files that are in. Some messages of each are refused; amounts reach beyond the whole numbers of a double.
 */
export async function makeSteps(folder: string, hotspots: number): Promise<readonly [Step, Step, Step]> {
  const [first, second, other] = ['first', 'second', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const big = 2n ** 60n
  const [a, b] = ['iot_reward_share.1738371600001.gz', 'iot_reward_share.1738371600002.gz']
  const firstDays = await sampleSources(first, '2025-01-30', hotspots)
  const secondDays = await sampleSources(second, '2025-02-01', hotspots)
  const craftedA = craftShares(
    join(first, a),
    a,
    amountsOf(50, (n) => (n % 20n === 7n ? null : big + n)),
  )
  const craftedB = craftShares(
    join(second, b),
    b,
    amountsOf(40, (n) => (n === 0n ? null : n)),
  )
  mkdirSync(other)
  const [replaced] = firstDays.filter(({ table }) => table === 'iot_reward_shares')
  if (replaced === undefined) throw new Error('the sample has no IoT shares')
  const otherA = craftShares(
    join(other, a),
    a,
    amountsOf(60, (n) => (n % 30n === 3n ? null : big + 2n * n)),
  )
  const otherDay = craftShares(
    join(other, replaced.name),
    replaced.name,
    amountsOf(30, (n) => n + 1n),
  )

  const one = [...firstDays, ...craftedA]
  const two = [...one, ...secondDays, ...craftedB]
  const kept = two.filter(({ name }) => name !== a && name !== replaced.name)
  return [
    { name: 'first days', args: [first], sources: one },
    { name: 'more days', args: [first, second], sources: two },
    { name: 'other bytes', args: [other, '--replace'], sources: [...kept, ...otherA, ...otherDay] },
  ]
}

/** Manifests of one row each: a commit for every one of them, over the hundredth version. */
export async function makeManyCommits(folder: string): Promise<readonly [Step, Step]> {
  const [before, after] = [join(folder, 'before'), join(folder, 'after')]
  const write = async (into: string, numbers: readonly number[]) => {
    const files = numbers.map((number) => {
      const values = { written_files: [`iot_reward_share.${number}.gz`], epoch: 20_119n }
      return [
        `reward_manifest.${number}.gz`,
        [manifest({ ...values, reward_type: 'iot', token: 'iot_reward_token_main' })],
      ] as const
    })
    await writeOracleFiles(into, Object.fromEntries(files))
    return files.flatMap(([name]) => sumSources('reward_manifests', readSource(join(into, name)).rows))
  }
  const numbers = Array.from({ length: 104 }, (_, number) => 1_738_371_600_000 + number)
  const old = await write(before, numbers.slice(0, 99))
  const all = [...old, ...(await write(after, numbers.slice(99)))]
  return [
    { name: '99 commits', args: [before], sources: old },
    { name: 'the hundredth commit', args: [after], sources: all },
  ]
}
