import { compareBytes } from '../compare-bytes.ts'
import type { Reward, RewardParts } from './rewards.ts'

/** What the list of rewards says of drawn ones, by a plain reduction over their values. */

export function inListOrder(parts: RewardParts): readonly Reward[] {
  return Object.values(parts)
    .flat()
    .sort(
      (a, b) =>
        (a.block < b.block ? -1 : Number(a.block > b.block)) ||
        compareBytes(a.transaction_hash, b.transaction_hash) ||
        compareBytes(a.source_file, b.source_file) ||
        Number(a.ordinal - b.ordinal),
    )
}

const secondsOf = (text: string) => BigInt(Date.parse(text)) / 1000n

type Matches = (row: Reward) => boolean

function matchOf(name: string, value: string): Matches {
  if (name === 'block') return equals(name, BigInt(value))
  if (name !== 'from' && name !== 'to') return equals(name, value)
  const bound = secondsOf(value)
  return name === 'from' ? ({ time }) => time >= bound : ({ time }) => time <= bound
}

const equals =
  (name: string, value: unknown): Matches =>
  (row) =>
    row[name] === value

/** Those that all filters match, in the order given. */
export function matching(
  rewards: readonly Reward[],
  filters: Readonly<Record<string, string>>,
): readonly Reward[] {
  const asked = Object.entries(filters).map(([name, value]) => matchOf(name, value))
  return rewards.filter((row) => asked.every((matches) => matches(row)))
}

/** The members of a record but for its id. */
export function membersOf({ source_file: _, ordinal: __, ...members }: Reward): object {
  return members
}
