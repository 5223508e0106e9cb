import type { Row } from '../../../src/catalog/resource.ts'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { drawAmount, pick } from './draw.ts'

/** Rewards of the L1 ledger drawn from a seed as plain values. */

interface Values {
  readonly block: bigint
  readonly transaction_hash: string
  /** Seconds since 1970. */
  readonly time: bigint
  readonly account_address: string | null
  readonly gateway_address: string | null
  readonly amount: bigint
  readonly type: string
}

export interface Reward extends Row, Values {
  readonly source_file: string
  readonly ordinal: bigint
}

/** By the part of the archive that they stand in. */
export type RewardParts = Readonly<Record<string, readonly Reward[]>>

const LETTERS = 'abcd'

function inParts(parts: readonly (readonly Values[])[]): RewardParts {
  const named = parts.map((rows, part) => {
    const source_file = `data_xa${LETTERS.charAt(part)}.csv.gz`
    return [source_file, rows.map((row, at) => ({ ...row, source_file, ordinal: BigInt(at) }))]
  })
  return Object.fromEntries(named)
}

/** Values that are hard to order, to quote or to count; any reward may have any of them. */
export const odd = {
  hashes: ['a', 'b', 'B', '-', '_x', '9', '\uffff', '\u{1d11e}', 'z'.repeat(200)],
  names: ['1single', '1other', ' 1', '"quoted"', 'with, comma', 'line\nbreak', '\u{1d11e}'],
  kinds: ['poc_witness', 'dc_rewards', 'securities_reward'],
  blocks: [1n, 99_999n, 100_000n, 2n ** 53n + 1n],
  /** Ends of months, the first second and a late one. */
  times: [0n, 1_640_995_199n, 1_640_995_200n, 1_643_673_600n, 253_402_300_799n],
} as const

function oddReward(random: Random): Values {
  return {
    block: random.chance(0.5) ? pick(odd.blocks, random) : BigInt(random.below(6)),
    transaction_hash: pick(odd.hashes, random),
    time: random.chance(0.5) ? pick(odd.times, random) : 1_640_995_190n + BigInt(random.below(21)),
    account_address: random.chance(0.2) ? null : pick(odd.names, random),
    gateway_address: random.chance(0.33) ? null : pick(odd.names, random),
    amount: drawAmount(random, 63),
    type: pick(odd.kinds, random),
  }
}

/** One to four parts of few rewards. */
export function drawOddRewards(seed: number): RewardParts {
  const random = openRandom(deriveSeed('odd rewards', seed))
  const draw = () => Array.from({ length: 20 + random.below(60) }, () => oddReward(random))
  return inParts(Array.from({ length: 1 + random.below(LETTERS.length) }, draw))
}

/** Where the blocks of a part begin, how many it has, and its rewards in each of them. */
interface BlockSpan {
  readonly first: number
  readonly blocks: number
  readonly perBlock: number
}

const kinds = ['poc_witness', 'poc_challengee', 'dc_rewards', 'securities_reward']

/** Block by block; times go back now and then, and `1largest` has a third of the rewards. */
function chainOf({ first, blocks, perBlock }: BlockSpan, part: number): readonly Values[] {
  const random = openRandom(deriveSeed('rewards', LETTERS.charAt(part)))
  return Array.from({ length: blocks * perBlock }, (_, place) => {
    const block = first + Math.floor(place / perBlock)
    return {
      block: BigInt(block),
      // Two transactions in each block.
      transaction_hash: `${(block * 7919) % 1000}hash${block}${place % 2 === 0 ? 'a' : 'B'}`,
      time: BigInt(1_640_995_200 + block * 600 - (random.chance(0.001) ? 5_000_000 : 0)),
      account_address: random.chance(0.33) ? '1largest' : `1account${random.below(3000)}`,
      gateway_address: random.chance(0.05) ? null : `11gateway${random.below(900)}`,
      amount: 9_007_199_254_740_993n + BigInt(place),
      type: kinds[Math.floor(random.below(16) ** 0.5)] ?? 'rare_reward',
    }
  })
}

/** A part for each span, and a last one, small and far off, with the only reward of `1single`. */
export function drawChain(...spans: readonly BlockSpan[]): RewardParts {
  const last: Values = {
    block: 9_007_199_254_740_993n,
    transaction_hash: 'Zlast',
    time: 253_402_300_799n,
    account_address: '1single',
    gateway_address: null,
    amount: 1n,
    type: 'rare_reward',
  }
  return inParts([...spans.map(chainOf), [last]])
}

/** Ninety thousand rewards: the first two parts meet within a block, the third one lies across both. */
export const drawManyRewards = () =>
  drawChain(
    { first: 1000, blocks: 1000, perBlock: 40 },
    { first: 1999, blocks: 1000, perBlock: 40 },
    { first: 1500, blocks: 1000, perBlock: 10 },
  )
