import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { bee, evil, header, makeEarningLake, ownerLines } from '../support/earnings/earning-lake.ts'
import type { MadeLake } from '../support/lakes/make-lake.ts'
import { runMain } from '../support/servers/run-main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let lake: MadeLake

beforeAll(async () => {
  lake = await makeEarningLake()
})

const days = ['--first-day', '2025-02-13', '--last-day', '2025-02-16']
const run = async (...args: readonly string[]) =>
  await runMain(['earnings', ...args, '--lake', lake.folder], { cwd: await temporaryFolder() })
/** Lines with single blanks, since the table is aligned. */
const linesOf = (text: string) => text.split('\n').map((line) => line.replace(/ +/g, ' '))

describe('ledgerlake earnings', () => {
  it('prints a line for each day, the sums, and what is missing', async () => {
    const { code, stdout, stderr } = await run('Furry Linen Bee', ...days)
    expect([code, stderr]).toEqual([0, ''])
    expect(linesOf(stdout)).toEqual([
      `Furry Linen Bee (${bee.text}), 2025-02-13 to 2025-02-16 (UTC)`,
      '',
      'day HNT MOBILE USD state',
      '2025-02-13 0.000002 0.000034 0.0000 paid',
      '2025-02-14 data missing (IoT); data missing (Mobile)',
      '2025-02-15 data missing (Mobile); paid, token unknown (IoT)',
      '2025-02-16 data missing (Mobile)',
      '',
      'Earned: 0.000002 HNT (0.0000 USD, rounded)',
      'Earned: 0.000034 MOBILE (0.0000 USD, rounded)',
      'All tokens: at least 0.0000 USD, rounded, at the oracle price of each day',
      'Data missing: IoT, 2025-02-14',
      'Data missing: Mobile, 2025-02-14 to 2025-02-16',
      'Paid, token and price unknown for lack of a manifest: IoT, 2025-02-15',
      '',
    ])
  })

  it('prints the sums alone, of an owner', async () => {
    const { stdout } = await run('owner-a', ...days, '--by', 'total')
    expect(linesOf(stdout).slice(0, 4)).toEqual([
      '2 hotspots of owner owner-a, 2025-02-13 to 2025-02-16 (UTC)',
      '',
      // 9,223,372,036,854,775,808 + 200 + 100 bones; the last ones have no price.
      'Earned: 92233720368.54776108 HNT (368934881474.1910 USD, rounded, and what has no price)',
      'Earned: 0.000034 MOBILE (0.0000 USD, rounded)',
    ])
  })

  it('shows the newest thirty days, or a month', async () => {
    const { stdout } = await run(bee.text, '--by', 'total')
    expect(stdout).toContain('2025-01-18 to 2025-02-16 (UTC)')
    expect((await run(bee.text, '--month', '2025-02', '--by', 'total')).stdout).toContain(
      '2025-02-01 to 2025-02-28 (UTC)',
    )
  })

  it('prints CSV and writes it to a file, as REST gives it', async () => {
    const file = `${[header, ...ownerLines].join('\n')}\n`
    expect((await run('owner-a', ...days, '--csv')).stdout).toBe(file)
    const cwd = await temporaryFolder()
    const args = ['earnings', 'owner-a', ...days, '--out', 'a.csv', '--lake', lake.folder]
    const { stdout } = await runMain(args, { cwd })
    expect(stdout).toMatch(/^12 rows, 2025-02-13 to 2025-02-16, snapshot \S+, are in a\.csv\n$/)
    expect(readFileSync(join(cwd, 'a.csv'), 'utf8')).toBe(file)
  })

  it('prints JSON with rows, sums and gaps', async () => {
    const { stdout } = await run(bee.text, ...days, '--json')
    const { rows, tokens, usd, missing, hotspots, first_day: first } = JSON.parse(stdout)
    expect([rows.length, first, usd]).toEqual([8, '2025-02-13', null])
    expect(hotspots).toEqual([{ hotspot_key: bee.text, hotspot_name: 'Furry Linen Bee' }])
    expect(tokens).toEqual([
      { token: 'HNT', amount: '0.000002', usd: '0.000008', usd_of_priced: '0.000008' },
      { token: 'MOBILE', amount: '0.000034', usd: '0.0000000238', usd_of_priced: '0.0000000238' },
    ])
    expect(missing[0]).toEqual({ state: 'data missing', network: 'IoT', dates: ['2025-02-14'] })
  })

  it.each([
    ['furry linen', 1, 'No hotspot or owner is called "furry linen". Did you mean Furry Linen Bee'],
    ['Furry Linn Bee', 1, 'Did you mean Furry Linen Bee'],
    ['nobody', 1, 'No hotspot or owner is called "nobody". Check its spelling.'],
    ['twin red name', 2, 'key-b1'],
  ])('explains the name %s', async (name, exit, sentence) => {
    const { code, stderr } = await run(name, ...days)
    expect([code, stderr]).toEqual([exit, expect.stringContaining(sentence)])
  })

  it.each([
    [['owner-a', '--first-day', '2025-02-01'], 'last_day is missing'],
    [['owner-a', '--month', '2025-13'], 'Use a month such as 2025-02.'],
    [['owner-a', '--format', 'pdf'], '--format is pdf; use one of'],
    [['owner-a', '--out', 'a.pdf'], '--format is missing; use one of'],
    [['owner-a', '--tz', 'Berlin'], 'tz is "Berlin"'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('adds up hotspots', async () => {
    const { stdout } = await run(bee.text, evil.text, ...days)
    expect(linesOf(stdout)[0]).toBe('2 hotspots, 2025-02-13 to 2025-02-16 (UTC)')
    expect(linesOf(stdout)[3]).toBe('2025-02-13 92233720368.54776008 0.000034 368934881474.1910 paid')
  })
})
