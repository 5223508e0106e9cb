import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { l1Rewards } from '../../../src/catalog/l1/rewards.ts'
import type { ContentReader } from '../../../src/lake/ports/content-reader.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { isFault } from '../../../src/operate/verify/finding.ts'
import { Verifier } from '../../../src/operate/verify/verify.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { soundLake, targetOf } from '../../support/lakes/sound-lake.ts'
import { storeMadeUp } from '../../support/lakes/store-made-up.ts'
import { drawChain } from '../../support/network/rewards.ts'

/** A verifier of a lake whose data files of a table go at the moment when some reading begins, as by a vacuum. */
async function losingAt(lake: string, table: string, reading: 'countTwice' | 'readStretch') {
  const target = await targetOf(lake)
  const openReader = async () => {
    const reader = await target.openReader()
    const lose = async () => {
      const { files } = (await new Lake(lake).latest()).tables.find(
        ({ resource }) => resource.name === table,
      ) ?? { files: [] }
      for (const { path } of files) rmSync(path, { force: true })
    }
    const own: ContentReader[typeof reading] = reader[reading]
    return Object.assign(Object.create(reader), {
      [reading]: async (...given: Parameters<typeof own>) => {
        await lose()
        return await Reflect.apply(own, reader, given)
      },
    })
  }
  const verifier = new Verifier({ ...target, openReader })
  cleanUp(() => verifier.close())
  return verifier
}

it.each([
  ['countTwice', 'l1_rewards', 'source', 'l1_rewards'],
  ['readStretch', 'reward_manifests', 'manifest', 'reward_manifests'],
] as const)(
  'a comparison between files that fails is one fault among the other findings: %s',
  async (reading, table, kind, file) => {
    const lake = await soundLake()
    const more = Object.entries(drawChain({ first: 100, blocks: 3, perBlock: 5 }))
    await storeMadeUp(lake, l1Rewards, Object.fromEntries(more.map(([name, rows]) => [`more-${name}`, rows])))
    cpSync(join(lake, '_keys', 'keys.ndjson'), join(lake, 'iot_reward_shares', 'more'))
    const { findings, isSound } = await (await losingAt(lake, table, reading)).verify()
    expect(isSound).toBe(false)
    expect(findings.filter(isFault)).toEqual([
      expect.objectContaining({
        ...{ kind, file },
        what: expect.stringMatching(/^Its rows could not be compared with those of other files: .*part-/),
      }),
    ])
    expect(findings).toContainEqual(expect.objectContaining({ file: 'iot_reward_shares/more' }))
  },
)
