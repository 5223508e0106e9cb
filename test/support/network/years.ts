import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { pick } from './draw.ts'
import { drawFile, type ShareFile } from './shares.ts'

/** Two years of both networks as plain values, with all that makes answers hard. */
export interface Years {
  /** What is true in the end. */
  readonly files: readonly ShareFile[]
  /** Files as they were first; each of them was replaced. */
  readonly replaced: readonly ShareFile[]
  /** Names of files whose manifests came after everything else. */
  readonly late: ReadonlySet<string>
  /** Every end of a period, in seconds since 1970. */
  readonly ends: readonly bigint[]
}

const DAY = 86_400n
const FIRST = BigInt(Date.parse('2024-06-29T00:00:00Z')) / 1000n
const DAYS = 733
export const HOTSPOTS = 40
/** Some epochs do not end at midnight. */
const oddEnds = [-1n, 1n, 5400n]

/** One file of each network every `step` days, and on every first of a month. The same seed gives the same years. */
export function drawYears(seed: string, step: number, sharesAFile: number): Years {
  const random = openRandom(deriveSeed(seed, 'years'))
  const files: ShareFile[] = []
  const replaced: ShareFile[] = []
  const late = new Set<string>()
  for (let day = 0; day < DAYS; day += 1) {
    const end = FIRST + BigInt(day) * DAY
    if (day % step !== 0 && new Date(Number(end) * 1000).getUTCDate() !== 1) continue
    for (const network of ['iot', 'mobile'] as const) {
      const name = `${network}_network_reward_shares_v1.${end + 3600n}000.gz`
      const ends = random.chance(0.1) ? [end, end, end + pick(oddEnds, random)] : [end]
      const draw = () =>
        drawFile(random, { network, name, ends, count: 1 + random.below(sharesAFile), hotspots: HOTSPOTS })
      files.push(draw())
      if (random.chance(0.05)) replaced.push({ ...draw(), manifests: [] })
      if (random.chance(0.2)) late.add(name)
    }
  }
  const ends = [...new Set(files.flatMap(({ shares }) => shares.map((share) => share.end)))]
  return { files, replaced, late, ends: ends.sort((a, b) => Number(a - b)) }
}
