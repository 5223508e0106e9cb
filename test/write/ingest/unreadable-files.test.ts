import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { frameFile, operational } from '../../support/messages/oracle-messages.ts'
import { versionOf } from '../../support/tables/read-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const iot = 'gateway_reward_share.1675213200000.gz'
const mobile = 'radio_reward_share.1675213200000.gz'

it('reward files of 2023 are listed with the reason, fail if named, and store no row', async () => {
  const root = await temporaryFolder()
  const [folder, lake] = [join(root, 'in'), join(root, 'lake')]
  mkdirSync(folder)
  for (const name of [iot, mobile, 'iot_reward_share.1738371600001.gz'])
    writeFileSync(join(folder, name), frameFile([operational(1)]))

  const units = 'its amounts have 8 or 6 decimals, which the file does not say'
  const found = await ingestInto(lake, [folder])
  expect(found).toMatchObject({ stored: 1, failed: [], unknown: [] })
  expect(found.unsupported).toEqual([
    { path: join(folder, iot), reason: units },
    {
      path: join(folder, mobile),
      reason: `${units}, and those since April 2023 repeat mobile_reward_share files`,
    },
  ])
  expect((await ingestInto(lake, [join(folder, mobile)])).failed).toHaveLength(1)
  expect(versionOf(lake, 'mobile_reward_shares')).toBe(-1)
})
