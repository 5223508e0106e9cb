import { join } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { scanPaths } from '../../src/engine/duckdb/catalog-sql.ts'
import { Session } from '../../src/engine/duckdb/session.ts'
import { sql } from '../../src/engine/duckdb/sql.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { cleanUp } from '../support/clean-up.ts'
import { makeLake, thirtyShares } from '../support/lakes/make-lake.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('files inspected together give the same results as each alone, even if one is unsorted or empty', async () => {
  const { folder, add } = await makeLake({ 'iot/iot_reward_share.1.gz': thirtyShares('2025-01-11') })
  await add({ 'iot/iot_reward_share.2.gz': thirtyShares('2025-01-12') })
  const [one, two] = (await new Lake(folder).latest()).table(iotRewardShares).files
  const scratch = await temporaryFolder()
  const [reversed, empty] = ['reversed', 'empty'].map((name) => ({
    path: join(scratch, `${name}.parquet`),
    lacks: [],
  }))
  if (!one || !two || !reversed || !empty) return expect.fail('there are four files')
  const session = await Session.open({ spillFolder: scratch, memoryMb: 256, threads: 1 })
  cleanUp(() => session.close())
  const rows = sql`SELECT * FROM ${scanPaths([two.path])}`
  await session.run(sql`COPY (${rows} ORDER BY hotspot_key DESC) TO ${reversed.path}`)
  await session.run(sql`COPY (${rows} WHERE false) TO ${empty.path}`)

  const writer = await openTestWriter(join(scratch, 'spill'), undefined, { threads: 2 })
  cleanUp(() => writer.close())
  const files = [one, reversed, empty, two]
  const together = await writer.inspectFiles(iotRewardShares, files)
  expect(together.map(({ rows: own, misplaced }) => [own, misplaced])).toEqual([
    [30, 0],
    [30, 29],
    [0, 0],
    [30, 0],
  ])
  expect(together[0]?.sources.map(({ source_file }) => source_file)).toEqual(['iot_reward_share.1.gz'])
  expect(together[0]?.chunks).not.toEqual(together[3]?.chunks)
  for (const [place, file] of files.entries()) {
    expect(await writer.inspectFiles(iotRewardShares, [file])).toEqual([together[place]])
    expect({ ...(await writer.inspect(iotRewardShares, file)), misplaced: expect.anything() }).toEqual(
      together[place],
    )
  }
})
