import { mobileUnallocatedRewardTypes } from '../catalog/l2/mobile-reward-shares.ts'
import { lognormalAmount, uniformAmount } from './amounts.ts'
import type { Epoch } from './epochs.ts'
import { isActive, mobileHotspotCount, openMobileHotspots, openSubscribers, scoreOf } from './hotspots.ts'
import { tokenPrice } from './prices.ts'
import { radioReward, radioRewardV2 } from './radio-rewards.ts'
import { deriveSeed, openRandom } from './random.ts'
import { type MobileShare, unallocatedKinds } from './shares.ts'

/** A day was worth this many times more bones of the old token. */
const OLD_TOKEN_SCALE = 300
/** Bytes bought by one USD at 0.50 USD a GB. */
const BYTES_PER_USD = 2 * 2 ** 30
/** 2025-12-01: since then a service provider reward says whom it pays. */
const ENTITY_KEYS_SINCE = 20_423

/** The mobile shares of one day, in the order of its files. */
export function* mobileShares(epoch: Epoch): Generator<MobileShare> {
  yield* hotspotRewards(epoch)
  yield* subscriberRewards(epoch)
  yield* sharedRewards(epoch)
}

function* hotspotRewards(epoch: Epoch): Generator<MobileShare> {
  const seed = deriveSeed(epoch.seed, 'mobile hotspot rewards', epoch.number)
  const hotspotOf = openMobileHotspots(epoch)
  const daily = openRandom()
  const price = tokenPrice(epoch, 'mobile')
  const scale = epoch.mainToken ? 1 : OLD_TOKEN_SCALE
  const bytesPerBone = (Number(price) / (epoch.mainToken ? 1e16 : 1e12)) * BYTES_PER_USD
  for (let index = 0; index < mobileHotspotCount(epoch); index += 1) {
    daily.restart(seed, index)
    if (!isActive(daily)) continue
    const hotspot = hotspotOf(index)
    const score = scoreOf(hotspot.rank, daily)
    if (!hotspot.hasRadio || daily.chance(0.6)) {
      const reward = lognormalAmount(3e6 * scale, 2.2, score)
      yield {
        reward_type: 'gateway_reward',
        start_period: epoch.start,
        end_period: epoch.end,
        hotspot_key: hotspot.key,
        dc_transfer_reward: reward,
        rewardable_bytes: BigInt(Math.floor(Number(reward) * bytesPerBone)),
        price,
      }
    }
    if (!hotspot.hasRadio) continue
    if (hotspot.isCbrs && !epoch.mainToken) yield radioReward(epoch, hotspot, scale, daily)
    else yield radioRewardV2(epoch, hotspot, scale, daily)
  }
}

/** Mappers were many until discovery mapping ended, about when the token changed. */
function* subscriberRewards(epoch: Epoch): Generator<MobileShare> {
  const seed = deriveSeed(epoch.seed, 'subscriber rewards', epoch.number)
  const subscriberOf = openSubscribers(epoch)
  const daily = openRandom()
  const count = Math.max(1, Math.floor(epoch.hotspots / (epoch.mainToken ? 60 : 6)))
  const scale = epoch.mainToken ? 1 : OLD_TOKEN_SCALE
  for (let index = 0; index < count; index += 1) {
    daily.restart(seed, index)
    if (!isActive(daily)) continue
    const { key, rank } = subscriberOf(index)
    const score = scoreOf(rank, daily)
    yield {
      reward_type: 'subscriber_reward',
      start_period: epoch.start,
      end_period: epoch.end,
      subscriber_id: key,
      discovery_location_amount: lognormalAmount(2e6 * scale, 0.5, score),
      subscriber_reward: daily.chance(0.4) ? 0n : lognormalAmount(8e5 * scale, 0.8, score),
      reward_override_entity_key: daily.chance(0.01) ? 'Réseau des cartographes' : '',
    }
  }
}

function* sharedRewards(epoch: Epoch): Generator<MobileShare> {
  const daily = openRandom(deriveSeed(epoch.seed, 'mobile shared rewards', epoch.number))
  const period = { start_period: epoch.start, end_period: epoch.end }
  const emission = uniformAmount(daily, 3.0e11, 3.1e11)
  yield {
    ...period,
    reward_type: 'service_provider_reward',
    service_provider_id: 'helium_mobile',
    // Now and then more than a double can hold, since exactness is part of what the sample shows.
    amount: epoch.number % 3 === 0 ? 2n ** 60n + emission : emission,
    rewardable_entity_key: epoch.number >= ENTITY_KEYS_SINCE ? 'Helium Mobile Service Rewards' : '',
  }
  for (const kind of unallocatedKinds(epoch, mobileUnallocatedRewardTypes, [
    'poc',
    'mapper',
    'service_provider',
    'oracle',
  ])) {
    yield {
      ...period,
      reward_type: 'unallocated_reward',
      unallocated_reward_type: kind,
      amount: uniformAmount(daily, 0, kind.endsWith('_poc') ? 2e5 : 1.2e11),
    }
  }
  for (const entity of ['Referral Elite', 'Café des hotspots', 'Gift Card'].slice(0, 1 + daily.below(3))) {
    const amount = uniformAmount(daily, 1e8, 4e9)
    yield {
      ...period,
      reward_type: 'promotion_reward',
      entity,
      service_provider_amount: amount,
      matched_amount: daily.chance(0.8) ? amount : 0n,
    }
  }
}
