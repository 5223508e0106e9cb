import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { l1Rewards } from '../../../src/catalog/l1/rewards.ts'
import { openCounterOf } from '../../../src/keys/counting/key-counter.ts'
import { addKey, readKeys, revokeKey } from '../../../src/keys/key-file.ts'
import { noteKeysNeeded } from '../../../src/keys/keys-needed.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Target } from '../../../src/operate/verify/inventory.ts'
import { Verifier } from '../../../src/operate/verify/verify.ts'
import { openDerived } from '../../../src/services/derived.ts'
import { openRowReader } from '../../../src/services/row-writer.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { cleanUp } from '../clean-up.ts'
import { drawChain } from '../network/rewards.ts'
import { writeOlderUsage } from '../older-usage.ts'
import { openTestWriter } from '../open-test-writer.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { iotReward, type MadeLake, makeLake, mobileReward, priced } from './make-lake.ts'
import { copyOnceMade } from './once-a-run.ts'
import { storeMadeUp } from './store-made-up.ts'

/** A lake with a file of every kind but those of state tables: older versions, checkpoints, what is derived, keys and counts. */
export async function makeSoundLake(): Promise<MadeLake> {
  const made = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 5n })],
    'iot/iot_reward_share.2.gz': [1, 2, 3].map((number) =>
      iotReward('2025-01-12', number, { witness_amount: 7n }),
    ),
    'mobile/mobile_reward_share.1.gz': [mobileReward('2025-01-11', 1, { dc_transfer_reward: 3n })],
    'mobile/reward_manifest.2.gz': [priced('mobile_reward_share.1.gz', 2n ** 32n)],
  })
  await made.add({ 'iot/iot_reward_share.3.gz': [iotReward('2025-01-13', 2, { beacon_amount: 2n ** 63n })] })
  await storeMadeUp(made.folder, l1Rewards, drawChain({ first: 1, blocks: 3, perBlock: 5 }))
  await compact({ lake: made.folder, months: ['2025-01'], openWriter: openTestWriter })
  await makeKeys(made.folder)
  await derive(made.folder)
  return made
}

/** A copy of such a lake, which is made once for all test files of a run. */
export async function soundLake(): Promise<string> {
  const lake = join(await temporaryFolder(), 'lake')
  await copyOnceMade('sound', lake, async (folder) =>
    cpSync((await makeSoundLake()).folder, folder, { recursive: true, preserveTimestamps: true }),
  )
  return lake
}

/** Three keys, one of them revoked, a request that is counted, and one that an older build counted. */
async function makeKeys(lake: string): Promise<void> {
  const path = keyFileIn(lake)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const terms = { features: [], ratePerMinute: 60, quotaPer30Days: 100, lookbackDays: null }
  for (const name of ['a', 'b', 'c']) await addKey(path, { name, ...terms }, new Date())
  await revokeKey(path, 'b', new Date())
  await noteKeysNeeded(lake)
  const counter = openCounterOf(path, (error) => {
    throw error
  })
  for (const key of (await readKeys(path)) ?? []) {
    const now = Date.now()
    counter.take(key, now)
    counter.spend(key.id, now)
  }
  counter.close()
  writeOlderUsage(path, 'aaaaaaaaaaaa', { since: Date.now(), used: 1 })
}

const keyFileIn = (lake: string) => join(lake, '_keys', 'keys.ndjson')

/** Builds everything that is derived, of tables of any size. */
export async function derive(lake: string): Promise<void> {
  const services = await openServices(settingsOf(lake), { worthwhileRows: 1 })
  const at = await new Lake(lake).latest()
  for (const one of services.derived) await one.build(at)
  await services.close()
}

const settingsOf = (lake: string) => readSettings({}, { lake, engine_memory_mb: '256', engine_threads: '1' })

/** A lake to verify, whose tables of any size are indexed. Reads rows in a folder that goes with the test, or its file. */
export async function targetOf(lake: string, derived?: Target['derived']): Promise<Target> {
  const settings = settingsOf(lake)
  const spill = await temporaryFolder()
  return {
    ...{ lake, state: join(lake, '_state'), keyFile: keyFileIn(lake) },
    derived: derived ?? openDerived(settings),
    openReader: () => openRowReader(settings, spill),
  }
}

/**
 * Verifies a lake; closed with the test, or its file. Offloaded bytes, which need an engine, are left alone unless
 * `withEngine` is given: then it takes longer to open.
 */
export async function verifierOf(lake: string, withEngine?: 'with an engine'): Promise<Verifier> {
  const services = withEngine && (await openServices(settingsOf(lake)))
  const verifier = new Verifier(await targetOf(lake, services?.derived))
  cleanUp(async () => {
    await verifier.close()
    await services?.close()
  })
  return verifier
}
