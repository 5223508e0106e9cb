import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { makers } from '../../../src/catalog/l2/makers.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { ownSql } from '../../../src/services/sql.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { rowsOf } from '../../support/servers/ask-sql.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let lake = ''

beforeAll(async () => {
  lake = await smallLake()
})

/** Flips a bit of the first file of a table until the test is over; gives the name of the file. */
async function flip(resource: Resource): Promise<string> {
  const [{ path }] = some((await new Lake(lake).latest()).table(resource).files)
  const whole = readFileSync(path)
  onTestFinished(() => writeFileSync(path, whole))
  writeFileSync(path, Buffer.from(whole).fill(whole.readUInt8(70) ^ 1, 70, 71))
  return relative(lake, path)
}

describe('statements of SQL', () => {
  async function session() {
    const sql = ownSql(readSettings({}, { lake }))
    const opened = await sql.open(await new Lake(lake).latest())
    onTestFinished(async () => {
      await opened.close()
      await sql.close()
    })
    return opened
  }

  it('are refused if they name a table with a damaged file, or rewards that are joined with it', async () => {
    const name = await flip(makers)
    const opened = await session()
    const refused = `${name} of the lake is damaged: its SHA-256 is another one.`
    for (const text of [
      'select count(*) from makers',
      'SELECT * FROM "MAKERS"',
      'select hotspot_key from iot_rewards',
    ])
      await expect(rowsOf(opened, text)).rejects.toThrow(refused)
    expect(some(await rowsOf(opened, 'select count(*) from l1_accounts'))).toHaveLength(1)
  })

  it('end with an error when a file is damaged while they run', async () => {
    const opened = await session()
    const checked = await opened.check('select ordinal from iot_reward_shares')
    const rows = opened.rows(checked)
    expect((await rows.next()).done).toBe(false)
    const name = await flip(iotRewardShares)
    const rest = async () => {
      for (let next = await rows.next(); next.done !== true; next = await rows.next());
    }
    await expect(rest()).rejects.toThrow(`${name} of the lake is damaged`)
  })
})

describe('an ingest that rewrites a damaged file', () => {
  it('is refused, because its result would have a valid digest', async () => {
    const name = await flip(makers)
    const before = (await new Lake(lake).latest()).table(makers).version
    const folder = await temporaryFolder()
    copyFileSync(join(smallNetwork, 'l2/makers.ndjson'), join(folder, 'makers.later.ndjson'))
    await expect(ingestInto(lake, [folder])).rejects.toThrow(`${join(lake, name)} has SHA-256 `)
    expect((await new Lake(lake).latest()).table(makers).version).toBe(before)
  })
})
