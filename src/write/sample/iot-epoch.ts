import { iotUnallocatedRewardTypes } from '../../catalog/l2/iot-reward-shares.ts'
import { lognormalAmount, longQuotient, openShares } from './amounts.ts'
import { dataCreditInBones, openPool, tokenPrice } from './economy.ts'
import type { SampleEpoch } from './epochs.ts'
import { workersOf } from './hotspots.ts'
import { openRandom } from './random.ts'
import { findRareKind, type IotShare, type Rewards, unallocatedShare } from './shares.ts'

/** Beacons and witnesses are counted in thousandths of a share. */
const UNITS = 1000n
/** Limit on Data Credits of a hotspot and day; far below the pool for data at any price. */
const MOST_CREDITS = 100n

/**
 * Returns the IoT shares of one day. Of the emission, 6 % are for beacons, 24 % for witnesses, 50 % for data, 7 % for
 * operations and 7 % for oracles, which are unallocated. Unused data rewards go to beacons and witnesses, a fifth of
 * them to beacons. The rest of rounding is unallocated.
 */
export function iotRewards(epoch: SampleEpoch): Rewards<IotShare> {
  const pool = openPool(epoch, 'iot')
  const [creditDividend, creditDivisor] = dataCreditInBones(epoch, tokenPrice(epoch, 'iot'))
  const payData = (credits: bigint) => (credits * creditDividend) / creditDivisor
  const totals = { rows: 0, beacon: 0n, witness: 0n, data: 0n }
  for (const { beacon, witness, credits } of workOf(epoch)) {
    totals.rows += 1
    totals.beacon += beacon
    totals.witness += witness
    totals.data += payData(credits)
  }
  const unused = pool(50n) - totals.data
  const beaconPool = pool(6n) + unused / 5n
  const witnessPool = pool(24n) + unused - unused / 5n
  const rare = findRareKind(epoch, iotUnallocatedRewardTypes, ['poc', 'oracle'])
  return {
    rows: totals.rows + (rare === undefined ? 3 : 4),
    shares,
    bonesPerShare: {
      poc_bones_per_beacon_reward_share: longQuotient(beaconPool * UNITS, totals.beacon),
      poc_bones_per_witness_reward_share: longQuotient(witnessPool * UNITS, totals.witness),
      dc_bones_per_share: longQuotient(creditDividend, creditDivisor),
    },
  }

  function* shares(): Generator<IotShare> {
    const period = { start_period: epoch.start, end_period: epoch.end }
    for (const share of earnedShares()) yield { ...share, ...period }
  }

  function* earnedShares(): Generator<IotShare> {
    const payBeacons = openShares(beaconPool, totals.beacon)
    const payWitnesses = openShares(witnessPool, totals.witness)
    let unpaid = beaconPool + witnessPool
    for (const { hotspot, beacon, witness, credits } of workOf(epoch)) {
      const [beacon_amount, witness_amount] = [payBeacons(beacon), payWitnesses(witness)]
      unpaid -= beacon_amount + witness_amount
      const amounts = { beacon_amount, witness_amount, dc_transfer_amount: payData(credits) }
      yield { reward_type: 'gateway_reward', hotspot_key: hotspot.key, ...amounts }
    }
    const rareAmount = rare === undefined ? 0n : pool(1n)
    yield { reward_type: 'operational_reward', amount: pool(7n) - rareAmount }
    yield unallocatedShare('poc', unpaid)
    yield unallocatedShare('oracle', pool(7n))
    if (rare !== undefined) yield unallocatedShare(rare, rareAmount)
  }
}

/** Yields the work of each hotspot on a day. Idle hotspots have no row. */
function* workOf(epoch: SampleEpoch) {
  const daily = openRandom()
  for (const { hotspot, score } of workersOf(epoch, 'iot', epoch.number, daily)) {
    const beacons = !daily.chance(0.3)
    const witnesses = !beacons || !daily.chance(0.04)
    const credits = daily.chance(0.3) ? lognormalAmount(10, 1.2, daily.normal()) : 0n
    yield {
      hotspot,
      beacon: beacons ? BigInt(2000 + daily.below(10_001)) : 0n,
      witness: witnesses ? lognormalAmount(25_000, 1, score) : 0n,
      credits: credits < MOST_CREDITS ? credits : MOST_CREDITS,
    }
  }
}
