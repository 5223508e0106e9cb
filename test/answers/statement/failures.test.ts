import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Repository } from '../../../src/answers/repository.ts'
import { SeriesColumns, SeriesRows } from '../../../src/answers/series/series-rows.ts'
import { statementOf } from '../../../src/answers/statement/statement.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import type { MadeLake } from '../../support/lakes/make-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { makeStatementLake } from '../../support/statement/made-network.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let cwd: string
let made: MadeLake

beforeEach(async () => {
  cwd = await temporaryFolder()
  made = await makeStatementLake()
})

const write = (out: string) =>
  runMain(['statement', '--owner', 'owner-a', '--year', '2025', '--lake', made.folder, '--out', out], { cwd })

describe('a statement that fails', () => {
  it('leaves no file if a data file is missing that is read late', async () => {
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

  it('names the folder that it cannot write, and leaves no file', async () => {
    writeFileSync(join(cwd, 'file'), '')
    const { code, stderr } = await write('file/year')
    expect([code, stderr]).toEqual([4, expect.stringContaining('Cannot write file/year')])
    expect(readdirSync(cwd)).toEqual(['file'])
  })

  it('is not written if the totals differ from the sums of the rows', async () => {
    await expect(
      statementWith('2025', (repository) => ({
        async totalsOfKeys(...asked) {
          const totals = await repository.totalsOfKeys(...asked)
          const more = (sums: Readonly<Record<string, bigint>>) => ({
            ...sums,
            ...('total_beacon_amount' in sums && {
              total_beacon_amount: (sums.total_beacon_amount ?? 0n) + 1n,
            }),
          })
          return new Map([...totals].map(([key, sums]) => [key, more(sums)]))
        },
      })),
    ).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringMatching(
        /in iot_reward_shares add up to 1500520 of beacon_amount, and their totals say 1500521\.$/,
      ),
    })
  })

  it('is not written if the series of L1 differs from the sum of its rewards', async () => {
    const nothing = { rows: new SeriesRows(new SeriesColumns(1, []), []), hotspots: undefined }
    await expect(
      statementWith('2021', ({ series }) => ({
        series: (...asked) => ({ ...series(...asked), read: async () => nothing }),
      })),
    ).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringMatching(
        /in l1_rewards add up to 400000000 of amount, and their totals say 0\.$/,
      ),
    })
  })
})

/** Makes a statement of a year with some verbs replaced. */
async function statementWith(year: string, wrong: (own: Repository) => Partial<Repository>): Promise<void> {
  const services = await openServices(readSettings({}, { lake: made.folder }))
  onTestFinished(() => services.close())
  const { repository, lake } = services
  const request = {
    holder: { owners: ['owner-a'] },
    days: { first: `${year}-01-01`, last: `${year}-12-31` },
    tz: 'UTC',
  }
  const parts = statementOf({ ...repository, ...wrong(repository) }, request, await lake.latest())
  for await (const _ of parts);
}
