import { oracleBoostedHexStatuses, spBoostedHexStatuses } from '../catalog/l2/mobile-reward-shares.ts'
import { decimalText, lognormalAmount, longDecimal, powerOfTen } from './amounts.ts'
import type { Epoch } from './epochs.ts'
import type { MobileHotspot } from './hotspots.ts'
import type { Random } from './random.ts'
import type { MobileShare } from './shares.ts'

/** Bones for one share of coverage. */
const BONES_PER_SHARE = 31_358

/** A coverage reward in its first form, for a CBRS radio. */
export function radioReward(epoch: Epoch, hotspot: MobileHotspot, scale: number, daily: Random): MobileShare {
  const points = 40 + daily.below(360)
  return {
    reward_type: 'radio_reward',
    start_period: epoch.start,
    end_period: epoch.end,
    hotspot_key: hotspot.key,
    cbsd_id: `P27-SCE4255W${String(hotspot.cbsdSerial).padStart(9, '0')}`,
    // Data is rewarded by gateway_reward; only a few old rows still carry some.
    dc_transfer_reward: daily.chance(0.1) ? lognormalAmount(3e6 * scale, 1, daily.normal()) : 0n,
    poc_reward: BigInt(points * BONES_PER_SHARE * scale),
    coverage_points: BigInt(points),
    seniority_timestamp: seniorityOf(epoch, hotspot),
    coverage_object: hotspot.coverageObject,
  }
}

/** A coverage reward in its second form: shares are coverage points times both multipliers. */
export function radioRewardV2(
  epoch: Epoch,
  hotspot: MobileHotspot,
  scale: number,
  daily: Random,
): MobileShare {
  const decimals = daily.below(9)
  const points = Math.floor((40 + 360 * daily.unit()) * powerOfTen(decimals))
  const boosted = daily.chance(0.8) ? 0 : Math.floor(points * 2 * daily.unit())
  const trustQuarters = drawQuarters(daily)
  const speedQuarters = drawQuarters(daily)
  // A sixteenth is 0.0625, so shares stay whole numbers of their smallest digit.
  const multiplier = trustQuarters * speedQuarters * 625
  const shareBones = (shares: number) =>
    BigInt(Math.floor((shares / powerOfTen(decimals + 4)) * BONES_PER_SHARE * scale))
  return {
    reward_type: 'radio_reward_v2',
    start_period: epoch.start,
    end_period: epoch.end,
    hotspot_key: hotspot.key,
    cbsd_id: '',
    base_coverage_points_sum: decimalText(points, decimals),
    boosted_coverage_points_sum: decimalText(boosted, decimals),
    base_reward_shares: daily.chance(1 / 64)
      ? longDecimal(daily, 40 + daily.below(360))
      : decimalText(points * multiplier, decimals + 4),
    boosted_reward_shares: decimalText(boosted * multiplier, decimals + 4),
    base_poc_reward: shareBones(points * multiplier),
    boosted_poc_reward: shareBones(boosted * multiplier),
    seniority_timestamp: seniorityOf(epoch, hotspot),
    coverage_object: daily.chance(1 / 200) ? null : hotspot.coverageObject,
    location_trust_score_multiplier: decimalText(trustQuarters * 25, 2),
    speedtest_multiplier: decimalText(speedQuarters * 25, 2),
    sp_boosted_hex_status: drawStatus(daily, spBoostedHexStatuses),
    oracle_boosted_hex_status: drawStatus(daily, oracleBoostedHexStatuses),
  }
}

/** A multiplier in quarters; most radios have the whole. */
function drawQuarters(daily: Random): number {
  return daily.chance(0.7) ? 4 : 1 + daily.below(4)
}

function drawStatus(daily: Random, statuses: readonly string[]): string {
  return statuses[daily.chance(0.85) ? 0 : daily.below(statuses.length)] as string
}

/** Seniority begins anew every 365 days, and so lies within the last year. */
function seniorityOf(epoch: Epoch, hotspot: MobileHotspot): bigint {
  const age = (epoch.number + hotspot.seniorityDay) % 365
  return BigInt((epoch.number - age) * 86_400 + hotspot.senioritySecond) * 1_000_000n
}
