import type { Row } from '../../src/catalog/resource.ts'
import { deriveSeed, openRandom } from '../../src/sample/random.ts'

const types = ['poc_witness', 'poc_challengee', 'dc_rewards', 'securities_reward']

/** The largest account has a third of the rewards, `1single` exactly one. */
const LARGEST = '1largest'

/** Where the blocks of a source begin, how many it has, and its rewards in each of them. */
export interface BlockSpan {
  readonly first: number
  readonly blocks: number
  readonly perBlock: number
}

/** Rewards of one source, block by block; times go back now and then. */
export function madeUpRewards(name: string, { first, blocks, perBlock }: BlockSpan): readonly Row[] {
  const random = openRandom(deriveSeed('rewards', name))
  return Array.from({ length: blocks * perBlock }, (_, place): Row => {
    const block = first + Math.floor(place / perBlock)
    const time = 1_640_995_200 + block * 600 - (random.chance(0.001) ? 5_000_000 : 0)
    return {
      block: BigInt(block),
      // Two transactions in each block.
      transaction_hash: `${(block * 7919) % 1000}hash${block}${place % 2 === 0 ? 'a' : 'B'}`,
      time: BigInt(time),
      account_address: random.chance(0.33) ? LARGEST : `1account${random.below(3000)}`,
      gateway_address: random.chance(0.05) ? null : `11gateway${random.below(900)}`,
      amount: 9_007_199_254_740_993n + BigInt(place),
      type: types[Math.floor(random.below(16) ** 0.5)] ?? 'rare_reward',
    }
  })
}

/**
 * Ninety thousand rewards in four sources. Two of them meet within a block, the third one lies across both, and the
 * last one is small and far off.
 */
export const rewardSources: Readonly<Record<string, readonly Row[]>> = {
  'data_xaa.csv.gz': madeUpRewards('a', { first: 1000, blocks: 1000, perBlock: 40 }),
  'data_xab.csv.gz': madeUpRewards('b', { first: 1999, blocks: 1000, perBlock: 40 }),
  'data_xac.csv.gz': madeUpRewards('c', { first: 1500, blocks: 1000, perBlock: 10 }),
  'data_xad.csv.gz': [
    {
      block: 9_007_199_254_740_993n,
      transaction_hash: 'Zlast',
      time: 253_402_300_799n,
      account_address: '1single',
      gateway_address: null,
      amount: 1n,
      type: 'rare_reward',
    },
  ],
}
