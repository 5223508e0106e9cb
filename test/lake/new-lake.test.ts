import fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { iotReward, writeOracleFiles } from '../support/lakes/make-lake.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const synced: string[] = []

replaceBuiltin(fs, (real) => ({
  open: (async (...args: Parameters<typeof real.open>) => {
    const handle = await real.open(...args)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      synced.push(String(args[0]))
    }
    return handle
  }) as typeof real.open,
}))

it('a first ingest syncs the lake and each new parent folder', async () => {
  const [home, input] = [await temporaryFolder(), await temporaryFolder()]
  await writeOracleFiles(input, {
    'iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 1n })],
  })
  const lake = join(home, 'new', 'lake')
  expect(await ingestInto(lake, [input])).toMatchObject({ stored: 1 })
  expect(synced).toEqual(expect.arrayContaining([home, dirname(lake), lake]))
})
