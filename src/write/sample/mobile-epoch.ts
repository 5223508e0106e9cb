import { mobileUnallocatedRewardTypes } from '../../catalog/l2/mobile-reward-shares.ts'
import { lognormalAmount, longQuotient, openShares } from './amounts.ts'
import { openPool, rewardedBytes, tokenPrice } from './economy.ts'
import type { SampleEpoch } from './epochs.ts'
import { isActive, openPeople, workersOf } from './hotspots.ts'
import { drawCoverage, openRadios, radioReward, radioRewardV2, SHARE_DECIMALS } from './radio-rewards.ts'
import { deriveSeed, openRandom } from './random.ts'
import { findRareKind, type MobileShare, type Rewards, unallocatedShare } from './shares.ts'

/** 2025-12-01: since then a service provider reward names its payee. */
const ENTITY_KEYS_SINCE = 20_423
const SHARE = 10n ** BigInt(SHARE_DECIMALS)
const entities = ['Referral Elite', 'Café des hotspots', 'Gift Card'] as const

/**
 * Returns the mobile shares of one day. Of the emission, 40 % are for data, 10 % for coverage, 10 % for boosted
 * coverage, 20 % for mappers, 10 % for the service provider and its promotions, and 4 % for oracles, which are
 * unallocated. The rest of each part is unallocated too.
 */
export function mobileRewards(epoch: SampleEpoch): Rewards<MobileShare> {
  const pool = openPool(epoch, 'mobile')
  const totals = { rows: 0, data: 0n, base: 0n, boosted: 0n, mapped: 0n }
  for (const { data, coverage } of workOf(epoch)) {
    totals.rows += (data > 0n ? 1 : 0) + (coverage === undefined ? 0 : 1)
    totals.data += data
    totals.base += coverage?.base ?? 0n
    totals.boosted += coverage?.boosted ?? 0n
  }
  for (const { found, verified, isGone } of mappingsOf(epoch)) {
    totals.rows += isGone ? 0 : 1
    totals.mapped += found + verified
  }
  const shared = sharedRewards(epoch, pool)
  return {
    // The shared rewards, and the unallocated rests of hotspots and mappers.
    rows: totals.rows + shared.length + 2,
    shares,
    bonesPerShare: {
      poc_bones_per_reward_share: longQuotient(pool(10n) * SHARE, totals.base),
      boosted_poc_bones_per_reward_share: longQuotient(pool(10n) * SHARE, totals.boosted),
    },
  }

  function* shares(): Generator<MobileShare> {
    const period = { start_period: epoch.start, end_period: epoch.end }
    for (const share of earnedShares()) yield { ...share, ...period }
    for (const share of shared) yield { ...share, ...period }
  }

  function* earnedShares(): Generator<MobileShare> {
    const price = tokenPrice(epoch, 'mobile')
    const radioOf = openRadios(epoch)
    const payData = openShares(pool(40n), totals.data)
    const payBase = openShares(pool(10n), totals.base)
    const payBoosted = openShares(pool(10n), totals.boosted)
    let unpaid = pool(40n) + 2n * pool(10n)
    for (const { number, hotspot, data, coverage } of workOf(epoch)) {
      const hotspot_key = hotspot.key
      if (data > 0n) {
        const reward = payData(data)
        unpaid -= reward
        const paid = {
          dc_transfer_reward: reward,
          rewardable_bytes: rewardedBytes(epoch, price, reward),
          price,
        }
        yield { reward_type: 'gateway_reward', hotspot_key, ...paid }
      }
      if (coverage === undefined) continue
      const radio = radioOf(number)
      const [base, boosted] = [payBase(coverage.base), payBoosted(coverage.boosted)]
      unpaid -= base + boosted
      const isFirstForm = hotspot.device === 'cbrs' && !epoch.mainToken
      const share = isFirstForm
        ? radioReward(radio, coverage, base)
        : radioRewardV2(radio, coverage, base, boosted)
      yield { ...share, hotspot_key }
    }
    yield unallocatedShare('poc', unpaid)
    yield* mapperShares()
  }

  function* mapperShares(): Generator<MobileShare> {
    const pay = openShares(pool(20n), totals.mapped)
    let unpaid = pool(20n)
    for (const { key, found, verified, entity, isGone } of mappingsOf(epoch)) {
      if (isGone) continue
      const paid = { discovery_location_amount: pay(found), subscriber_reward: pay(verified) }
      unpaid -= paid.discovery_location_amount + paid.subscriber_reward
      yield {
        ...{ reward_type: 'subscriber_reward', subscriber_id: key, ...paid },
        reward_override_entity_key: entity,
      }
    }
    yield unallocatedShare('mapper', unpaid)
  }
}

/** Rewards of the service provider and the oracles, exact to one bone. */
function sharedRewards(epoch: SampleEpoch, pool: (percent: bigint) => bigint): readonly MobileShare[] {
  const daily = openRandom(deriveSeed(epoch.seed, 'mobile shared rewards', epoch.number))
  const promotions = entities.slice(0, 1 + daily.below(entities.length)).map((entity) => ({
    reward_type: 'promotion_reward',
    entity,
    service_provider_amount: pool(1n),
    matched_amount: daily.chance(0.8) ? pool(1n) : 0n,
  }))
  const promoted = promotions.reduce(
    (sum, { service_provider_amount, matched_amount }) => sum + service_provider_amount + matched_amount,
    0n,
  )
  const everyDay = ['poc', 'mapper', 'service_provider', 'oracle']
  const rare = findRareKind(epoch, mobileUnallocatedRewardTypes, everyDay)
  const rareAmount = rare === undefined ? 0n : pool(1n)
  return [
    {
      reward_type: 'service_provider_reward',
      service_provider_id: 'helium_mobile',
      amount: pool(10n) - promoted - pool(1n) - rareAmount,
      rewardable_entity_key: epoch.number >= ENTITY_KEYS_SINCE ? 'Helium Mobile Service Rewards' : '',
    },
    unallocatedShare('service_provider', pool(1n)),
    unallocatedShare('oracle', pool(4n)),
    ...(rare === undefined ? [] : [unallocatedShare(rare, rareAmount)]),
    ...promotions,
  ]
}

/** Yields the work of each hotspot on a day. Idle hotspots have no row. */
function* workOf(epoch: SampleEpoch) {
  const daily = openRandom()
  for (const { number, hotspot, score } of workersOf(epoch, 'mobile', epoch.number, daily)) {
    const hasRadio = hotspot.device !== 'wifi_data_only'
    const carriesData = !hasRadio || daily.chance(0.6)
    const isCbrs = hotspot.device === 'cbrs' && !epoch.mainToken
    yield {
      number,
      hotspot,
      data: carriesData ? lognormalAmount(1e6, 2.2, score) : 0n,
      coverage: hasRadio ? drawCoverage(daily, isCbrs) : undefined,
    }
  }
}

/**
 * Yields the mappers of a day. When the token changed, discovery mapping ended and one mapper in ten remained. The
 * rewards of the others are unallocated.
 */
function* mappingsOf(epoch: SampleEpoch) {
  const seed = deriveSeed(epoch.seed, 'mappings', epoch.number)
  const keyOf = openPeople(epoch.seed, 'mappers')
  const daily = openRandom()
  const count = Math.max(1, Math.floor(epoch.hotspots / 6))
  for (let index = 0; index < count; index += 1) {
    daily.restart(seed, index)
    if (!isActive(daily)) continue
    yield {
      key: keyOf(index),
      found: lognormalAmount(2e6, 0.5, daily.normal()),
      verified: daily.chance(0.4) ? 0n : lognormalAmount(8e5, 0.8, daily.normal()),
      entity: daily.chance(0.01) ? 'Réseau des cartographes' : '',
      isGone: epoch.mainToken && index % 10 > 0,
    }
  }
}
