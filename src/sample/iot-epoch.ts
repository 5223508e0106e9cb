import { iotUnallocatedRewardTypes } from '../catalog/l2/iot-reward-shares.ts'
import { lognormalAmount, uniformAmount } from './amounts.ts'
import type { Epoch } from './epochs.ts'
import { isActive, openIotHotspots, scoreOf } from './hotspots.ts'
import { deriveSeed, openRandom } from './random.ts'
import { type IotShare, unallocatedKinds } from './shares.ts'

/** A day was worth this many times more bones of the old token. */
const OLD_TOKEN_SCALE = 4000

/** The IoT shares of one day, in the order of its file. */
export function* iotShares(epoch: Epoch): Generator<IotShare> {
  yield* gatewayRewards(epoch)
  yield* sharedRewards(epoch)
}

function* gatewayRewards(epoch: Epoch): Generator<IotShare> {
  const seed = deriveSeed(epoch.seed, 'iot gateway rewards', epoch.number)
  const hotspotOf = openIotHotspots(epoch)
  const daily = openRandom()
  const scale = epoch.mainToken ? 1 : OLD_TOKEN_SCALE
  for (let index = 0; index < epoch.hotspots; index += 1) {
    daily.restart(seed, index)
    if (!isActive(daily)) continue
    const { key, rank } = hotspotOf(index)
    const score = scoreOf(rank, daily)
    const beacons = !daily.chance(0.3)
    // A hotspot that earned nothing has no row.
    const witnesses = !beacons || !daily.chance(0.04)
    const data = daily.chance(0.3)
    yield {
      reward_type: 'gateway_reward',
      start_period: epoch.start,
      end_period: epoch.end,
      hotspot_key: key,
      beacon_amount: beacons ? uniformAmount(daily, 5e4 * scale, 3e5 * scale) : 0n,
      witness_amount: witnesses ? lognormalAmount(2.5e5 * scale, 1, score) : 0n,
      dc_transfer_amount: data ? lognormalAmount(4e4 * scale, 1.2, daily.normal()) : 0n,
    }
  }
}

function* sharedRewards(epoch: Epoch): Generator<IotShare> {
  const daily = openRandom(deriveSeed(epoch.seed, 'iot shared rewards', epoch.number))
  const period = { start_period: epoch.start, end_period: epoch.end }
  const emission = uniformAmount(daily, 7.1e10, 7.3e10)
  yield {
    ...period,
    reward_type: 'operational_reward',
    // Now and then more than a double can hold, since exactness is part of what the sample shows.
    amount: epoch.number % 3 === 0 ? 2n ** 53n + emission : emission,
  }
  for (const kind of unallocatedKinds(epoch, iotUnallocatedRewardTypes, ['poc', 'oracle'])) {
    yield {
      ...period,
      reward_type: 'unallocated_reward',
      unallocated_reward_type: kind,
      amount: kind.endsWith('_poc') ? uniformAmount(daily, 0, 2e5) : emission,
    }
  }
}
