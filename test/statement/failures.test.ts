import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { statementOf } from '../../src/statement/statement.ts'
import type { MadeLake } from '../support/make-lake.ts'
import { runMain } from '../support/run-main.ts'
import { makeStatementLake } from '../support/statement/made-network.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let cwd: string
let made: MadeLake

beforeEach(async () => {
  cwd = await temporaryFolder()
  made = await makeStatementLake()
})

const write = (out: string) =>
  runMain(['statement', '--owner', 'owner-a', '--year', '2025', '--lake', made.folder, '--out', out], { cwd })

describe('a statement that cannot be finished', () => {
  it('leaves nothing when a data file is gone that is read after others', async () => {
    const table = join(made.folder, 'mobile_reward_shares')
    const data = readdirSync(table, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.parquet') && !name.includes('_delta_log'),
    )
    expect(data.length).toBeGreaterThan(0)
    for (const name of data) rmSync(join(table, name))
    const { code, stderr } = await write('year')
    expect([code, stderr]).toEqual([4, expect.stringContaining('mobile_reward_shares')])
    expect(readdirSync(cwd)).toEqual([])
  })

  it('says that it cannot write, and leaves nothing', async () => {
    writeFileSync(join(cwd, 'file'), '')
    const { code, stderr } = await write('file/year')
    expect([code, stderr]).toEqual([4, expect.stringContaining('Cannot write file/year')])
    expect(readdirSync(cwd)).toEqual(['file'])
  })

  it('is none when the totals are not the sums of the rows', async () => {
    const settings = readSettings({}, { lake: made.folder })
    const services = await openServices(settings)
    onTestFinished(() => services.close())
    const { repository, lake } = services
    const wrong: typeof repository = {
      ...repository,
      totals(...asked) {
        const totals = repository.totals(...asked)
        const more = (sums: Readonly<Record<string, bigint>>) => ({
          ...sums,
          ...('total_beacon_amount' in sums && {
            total_beacon_amount: (sums.total_beacon_amount ?? 0n) + 1n,
          }),
        })
        return { ...totals, read: async (signal) => more(await totals.read(signal)) }
      },
    }
    const request = {
      holder: { owner: 'owner-a' },
      days: { first: '2025-01-01', last: '2025-12-31' },
      tz: 'UTC',
    }
    const parts = statementOf(wrong, request, await lake.latest())
    const drain = async () => {
      for await (const _ of parts);
    }
    await expect(drain()).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringMatching(
        /in iot_reward_shares add up to 1500520 of beacon_amount, and their totals say 1500521\.$/,
      ),
    })
  })
})
