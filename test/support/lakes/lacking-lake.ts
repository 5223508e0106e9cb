import {
  dayBefore,
  iotShare,
  type MadeLake,
  makeLake,
  manifest,
  mobileShare,
  type OracleFiles,
} from './make-lake.ts'

export const februaryDate = (day: number) => `2025-02-${String(day).padStart(2, '0')}`

/** The files of the day that ends on a day of February: one for each network. */
function sharesOf(day: number): OracleFiles {
  return {
    [`iot/iot_reward_share.${day}.gz`]: [
      iotShare({ ...dayBefore(februaryDate(day)), reward_type: 'operational_reward', amount: 5n }),
    ],
    [`mobile/mobile_reward_share.${day}.gz`]: [
      mobileShare({ ...dayBefore(februaryDate(day)), reward_type: 'service_provider_reward', amount: 3n }),
    ],
  }
}

function manifestsOf(day: number): OracleFiles {
  const { start_period, end_period } = dayBefore(februaryDate(day))
  const period = { start_timestamp: start_period, end_timestamp: end_period }
  const of = (reward_type: 'iot' | 'mobile') => [
    manifest({ ...period, reward_type, written_files: [`${reward_type}_reward_share.${day}.gz`] }),
  ]
  return {
    [`iot/reward_manifest.1${day}.gz`]: of('iot'),
    [`mobile/reward_manifest.2${day}.gz`]: of('mobile'),
  }
}

/** The files of whole days of both networks. */
export const wholeDays = (...days: readonly number[]) =>
  Object.assign({}, ...days.flatMap((day) => [sharesOf(day), manifestsOf(day)])) as OracleFiles

/** Days 2, 3, 4 and 6 with their manifests, day 5 missing, day 7 of IoT without a manifest and of mobile missing. */
export async function lackingLake(): Promise<MadeLake> {
  const [path = '', messages = []] = Object.entries(sharesOf(7))[0] ?? []
  return await makeLake({ ...wholeDays(2, 3, 4, 6), [path]: messages })
}
