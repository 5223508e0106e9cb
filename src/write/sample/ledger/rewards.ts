import { int32At } from '../../../base/values/typed-at.ts'
import type { Random } from '../random.ts'
import { drawAccount } from './addresses.ts'
import { type Scene, writeActor, writeReward } from './rows.ts'

/** Shares in percent of all rewards. */
const shares = {
  poc_witness: 58,
  poc_challengee: 14,
  dc_rewards: 12,
  poc_challenger: 8,
  consensus_rewards: 6,
  securities_reward: 2,
} as const

const draws = Object.entries(shares).flatMap(([type, share]) => Array.from({ length: share }, () => type))

/**
 * Writes the rewards of one transaction and up to `mostActors` actors: each payee once, and reward gateways.
 * Neighbouring gateways earn, each at most once unless there are more rewards than gateways.
 */
export function writeRewards(scene: Scene, rows: number, mostActors: number): void {
  const { ledger, random, addresses, gateways } = scene
  const payees = new Set<number>()
  const start = random.below(gateways)
  let actors = 0
  for (let row = 0; row < rows; row += 1) {
    const type = random.pick(draws)
    const index = (start + row) % gateways
    const { account, gateway } = earnersOf(type, index)
    const amount = drawBones(random)
    writeReward(scene, account, gateway, amount, type)
    if (actors < mostActors && !payees.has(account)) {
      payees.add(account)
      writeActor(scene, account, 'payee')
      actors += 1
    }
    if (actors < mostActors && row < gateways && gateway === addresses.firstGateway + index) {
      writeActor(scene, gateway, 'reward_gateway')
      actors += 1
    }
  }

  function earnersOf(type: string, index: number): { account: number; gateway: number } {
    if (type === 'securities_reward') {
      return { account: drawAccount(ledger, random, scene.block), gateway: addresses.placeholder }
    }
    if (type === 'consensus_rewards') {
      const validator = random.below(addresses.validators)
      return { account: validator % ledger.accounts, gateway: addresses.firstValidator + validator }
    }
    return { account: int32At(addresses.owners, index), gateway: addresses.firstGateway + index }
  }
}

/** Draws an amount: mostly a few hundred thousand bones, rarely a few hundred million. */
function drawBones(random: Random): number {
  return Math.floor(200_000 / (random.unit() + 0.0004))
}
