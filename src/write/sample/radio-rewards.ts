import { itemAt } from '../../base/values/item-at.ts'
import { oracleBoostedHexStatuses, spBoostedHexStatuses } from '../../catalog/l2/mobile-reward-shares.ts'
import { decimalText } from './amounts.ts'
import type { SampleEpoch } from './epochs.ts'
import { deriveSeed, drawUuid, openRandom, type Random } from './random.ts'
import type { MobileShare } from './shares.ts'

/** Decimals of coverage points and of shares; multipliers add four. */
const POINT_DECIMALS = 8
export const SHARE_DECIMALS = 12

/**
 * Draws the coverage of a radio on a day: points times 10^8, multipliers in quarters, and shares of both pools times
 * 10^12, which are points times both multipliers. A CBRS radio has whole points and no multipliers.
 */
export function drawCoverage(daily: Random, isCbrs: boolean) {
  const step = 10n ** BigInt(isCbrs ? POINT_DECIMALS : daily.below(POINT_DECIMALS + 1))
  const points = (BigInt(Math.floor((40 + 360 * daily.unit()) * 1e8)) / step) * step
  const isBoosted = !isCbrs && daily.chance(0.2)
  const boostedPoints = isBoosted ? points * BigInt(1 + daily.below(2)) : 0n
  const [trust, speed] = isCbrs ? ([4n, 4n] as const) : [drawQuarters(daily), drawQuarters(daily)]
  // A sixteenth is 0.0625.
  const multiplier = trust * speed * 625n
  return {
    ...{ points, boostedPoints, trust, speed },
    ...{ base: points * multiplier, boosted: boostedPoints * multiplier },
    hasObject: !daily.chance(1 / 200),
    spStatus: drawStatus(daily, spBoostedHexStatuses),
    oracleStatus: drawStatus(daily, oracleBoostedHexStatuses),
  }
}

type Coverage = ReturnType<typeof drawCoverage>

/** Returns a function from the number of a mobile hotspot to the constant data of its radio. */
export function openRadios(epoch: SampleEpoch) {
  const radioSeed = deriveSeed(epoch.seed, 'radios')
  const random = openRandom()
  return (number: number) => {
    random.restart(radioSeed, number)
    const cbsd_id = `P27-SCE4255W${String(random.below(1e9)).padStart(9, '0')}`
    // Seniority restarts every 365 days, so it is within the last year.
    const age = (epoch.number + random.below(365)) % 365
    const seniority_timestamp = BigInt((epoch.number - age) * 86_400 + random.below(86_400)) * 1_000_000n
    return { cbsd_id, seniority_timestamp, coverage_object: drawUuid(random) }
  }
}

type Radio = ReturnType<ReturnType<typeof openRadios>>

/** Builds a coverage reward in its first form, for a CBRS radio. */
export function radioReward(radio: Radio, { points }: Coverage, poc_reward: bigint): MobileShare {
  const coverage_points = points / 10n ** BigInt(POINT_DECIMALS)
  // The `gateway_reward` pays for data.
  return { ...radio, reward_type: 'radio_reward', dc_transfer_reward: 0n, poc_reward, coverage_points }
}

/** Builds a coverage reward in its second form. */
export function radioRewardV2(radio: Radio, coverage: Coverage, base: bigint, boosted: bigint): MobileShare {
  return {
    reward_type: 'radio_reward_v2',
    cbsd_id: '',
    base_coverage_points_sum: decimalText(coverage.points, POINT_DECIMALS),
    boosted_coverage_points_sum: decimalText(coverage.boostedPoints, POINT_DECIMALS),
    base_reward_shares: decimalText(coverage.base, SHARE_DECIMALS),
    boosted_reward_shares: decimalText(coverage.boosted, SHARE_DECIMALS),
    base_poc_reward: base,
    boosted_poc_reward: boosted,
    seniority_timestamp: radio.seniority_timestamp,
    coverage_object: coverage.hasObject ? radio.coverage_object : null,
    location_trust_score_multiplier: decimalText(coverage.trust * 25n, 2),
    speedtest_multiplier: decimalText(coverage.speed * 25n, 2),
    sp_boosted_hex_status: coverage.spStatus,
    oracle_boosted_hex_status: coverage.oracleStatus,
  }
}

/** Draws a multiplier in quarters; most radios have 1. */
function drawQuarters(daily: Random): bigint {
  return daily.chance(0.7) ? 4n : BigInt(1 + daily.below(4))
}

function drawStatus(daily: Random, statuses: readonly string[]): string {
  return daily.chance(0.85) ? itemAt(statuses, 0) : daily.pick(statuses)
}
