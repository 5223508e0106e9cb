import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { shuffled } from './draw.ts'
import type { Network } from './reward-types.ts'
import { drawFile, type ShareFile } from './shares.ts'

export const FEW_HOTSPOTS = 5

/** Ends of months and of a year, and instants beside them. */
export const fewEnds: readonly bigint[] = [
  ...['2024-12-31T23:59:59Z', '2025-01-01T00:00:00Z', '2025-01-31T00:00:00Z', '2025-02-01T00:00:00Z'],
  ...['2025-02-01T00:00:01Z', '2025-03-01T00:00:00Z'],
].map((text) => BigInt(Date.parse(text)) / 1000n)

/** A few files with many shares of either network; of both in the first two files and of one in the last. */
export function drawFewFiles(seed: number): readonly ShareFile[] {
  const random = openRandom(deriveSeed('few files', seed))
  // Names sort by their bytes: 10 before 9, and the newer prefix before the older one.
  const namesOf = (network: Network) =>
    [`${network}_reward_share`, `${network}_network_reward_shares_v1`].flatMap((prefix) =>
      [9, 10, 11].map((number) => `${prefix}.${number}.gz`),
    )
  const names = {
    iot: [...shuffled(namesOf('iot'), random)],
    mobile: [...shuffled(namesOf('mobile'), random)],
  }
  const draw = (network: Network, least: number, most: number) =>
    drawFile(random, {
      ...{ network, name: names[network].pop() ?? '', ends: fewEnds, hotspots: FEW_HOTSPOTS },
      count: least + random.below(most - least + 1),
    })
  return [
    draw('iot', 30, 40),
    draw('mobile', 10, 20),
    ...Array.from({ length: 1 + random.below(3) }, () => draw(random.chance(0.5) ? 'iot' : 'mobile', 0, 20)),
    draw('mobile', 20, 30),
  ]
}
