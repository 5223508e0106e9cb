import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { l1Rewards } from '../../../src/catalog/l1/rewards.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { buildMissing } from '../../../src/index/maintenance/build-missing.ts'
import type { Derived } from '../../../src/index/maintenance/derived.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import {
  dayBefore,
  hotspot,
  iotShare,
  type MadeLake,
  makeLake,
  mobileShare,
  priced,
} from '../../support/lakes/make-lake.ts'
import { storeMadeUp } from '../../support/lakes/store-made-up.ts'
import { drawChain } from '../../support/network/rewards.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let lake: MadeLake
let at: Snapshot

beforeAll(async () => {
  const share = { ...dayBefore('2025-01-10'), reward_type: 'gateway_reward', hotspot_key: hotspot(1).raw }
  lake = await makeLake({
    'iot/iot_reward_share.1.gz': [iotShare({ ...share, beacon_amount: 1n })],
    'iot/iot_reward_share.2.gz': [iotShare({ ...share, ...dayBefore('2024-02-10'), beacon_amount: 2n })],
    'mobile/mobile_reward_share.1.gz': [mobileShare({ ...share, dc_transfer_reward: 3n })],
    'mobile/reward_manifest.2.gz': [priced('mobile_reward_share.1.gz', 2n ** 32n)],
  })
  await storeMadeUp(lake.folder, l1Rewards, drawChain({ first: 1, blocks: 3, perBlock: 5 }))
  at = await new Lake(lake.folder).latest()
})

/** One derived structure as a new process opens it. */
async function openOne(name: string, state: string): Promise<Derived> {
  const settings = readSettings({}, { lake: lake.folder, state })
  const { derived, close } = await openServices(settings, { worthwhileRows: 1 })
  onTestFinished(close)
  const found = derived.find((one) => one.name === name)
  if (found === undefined) throw new Error(`the services have no ${name}`)
  return found
}

describe.each([
  ['row indexes', [iotRewardShares, mobileRewardShares, l1Rewards]],
  ['index by hotspot', [iotRewardShares, mobileRewardShares]],
  ['offloaded bytes', [mobileRewardShares]],
])('an index: %s', (name, resources) => {
  const tables = () => resources.map((resource) => at.table(resource))

  it('is not built from a damaged file, because its checksums would hide the damage', async () => {
    const [{ path }] = some(tables()[0]?.files)
    const whole = readFileSync(path)
    const one = await openOne(name, await temporaryFolder())
    writeFileSync(path, Buffer.from(whole).fill(whole.readUInt8(60) ^ 1, 60, 61))
    await expect(one.build(at)).rejects.toThrow('is damaged: its SHA-256 is another one')
    writeFileSync(path, whole)
    await one.build(at)
    expect(await one.load(at)).toEqual([])
  })

  it('is missing until it is built, and is loaded by the next process', async () => {
    const state = await temporaryFolder()
    const first = await openOne(name, state)
    expect(first.lacks(at)).toBe(true)
    expect(new Set(await first.load(at))).toEqual(new Set(tables()))
    await first.build(at)
    expect(await first.load(at)).toEqual([])
    expect(first.lacks(at)).toBe(false)
    const second = await openOne(name, state)
    expect(second.lacks(at)).toBe(true)
    expect(await second.load(at)).toEqual([])
    expect(second.lacks(at)).toBe(false)
  })

  it('is not used if its files are swapped, is reported by verify, and is rebuilt', async () => {
    const state = await temporaryFolder()
    const built = await openOne(name, state)
    await built.build(at)
    const paths = (await built.files(at)).map(({ path }) => path).filter((path) => !path.endsWith('.json'))
    const contents = paths.map((path) => readFileSync(path))
    for (const [place, path] of paths.entries()) writeFileSync(path, contents.at(place - 1) as Buffer)
    const swapped = await openOne(name, state)
    const faults = async (one: Derived) =>
      (await Promise.all((await one.files(at)).map((file) => file.fault()))).filter(Boolean)
    // Sums of offloaded bytes are one file, under the digests of their sources.
    expect((await faults(swapped)).length).toBeGreaterThanOrEqual(paths.length)
    expect(await swapped.load(at)).toEqual(paths.length === 0 ? [] : tables())
    await swapped.build(at)
    expect(await (await openOne(name, state)).load(at)).toEqual([])
    expect(await faults(swapped)).toEqual([])
  })

  it('is missing after forget, also for the next process, until it is rebuilt', async () => {
    const state = await temporaryFolder()
    const first = await openOne(name, state)
    await first.build(at)
    expect(await first.load(at)).toEqual([])
    for (const table of tables()) await first.forget(table)
    expect(first.lacks(at)).toBe(true)
    for (const one of [first, await openOne(name, state)]) {
      expect(new Set(await one.load(at))).toEqual(new Set(tables()))
    }
    await first.build(at)
    expect(await first.load(at)).toEqual([])
  })

  it('is not built once the signal is aborted', async () => {
    const one = await openOne(name, await temporaryFolder())
    const gone = { signal: AbortSignal.abort(new Error('gone')) }
    await expect(one.build(at, gone)).rejects.toThrow('gone')
    expect(new Set(await one.load(at))).toEqual(new Set(tables()))
  })
})

it('a failed build is reported with what stays slow, and other indexes are built', async () => {
  const done: string[] = []
  const made = (name: string, build: Derived['build']): Derived => ({
    ...{ name, speedsUp: `lists of ${name}`, build },
    load: async () => [],
    lacks: () => true,
    forget: async () => {},
    files: async () => [],
    close: () => done.push(`closed ${name}`),
  })
  const derived = [
    made('a', async () => Promise.reject(new Error('no space'))),
    made('b', async ({ id }, { onProgress } = {}) => onProgress?.(`building b of ${id === at.id}`)),
  ]
  const note = (sentence: string) => done.push(sentence)
  await buildMissing(derived, new Lake(lake.folder), { onProgress: note, onFailure: note })
  expect(done).toEqual(['lists of a stay slow: no space', 'closed a', 'building b of true', 'closed b'])
})
