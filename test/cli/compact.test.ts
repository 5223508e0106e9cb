import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readExact } from '../support/exact-json.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { craftArtifact, oneDay } from '../support/messages/craft-artifacts.ts'
import { runMain } from '../support/servers/run-main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const month = { start_period: oneDay.start_period + 2_678_400_000_000n, end_period: 1_740_787_200_000_000n }

/** A lake with three files of January 2025 and one of March. */
async function newLake() {
  const cwd = await temporaryFolder()
  const input = join(cwd, 'in')
  mkdirSync(input)
  for (const [file, days] of [oneDay, oneDay, oneDay, month].entries()) {
    const row = { ...days, reward_type: 'operational_reward', amount: 5n }
    craftArtifact(input, 'iot_reward_share', 1738110600000 + file, [row])
  }
  await ingestInto(join(cwd, 'lake'), [input], { commitRows: 1 })
  return (...args: string[]) => runMain([...args, '--lake', 'lake'], { cwd })
}

it('compact prints the result of every month, vacuum the removed files, and both print when there is no work', async () => {
  const run = await newLake()
  const compacted = await run('compact')
  expect([compacted.code, compacted.stderr]).toEqual([0, ''])
  const [heads, line, sum, end] = compacted.stdout.split('\n')
  expect(heads).toMatch(/^table +partition +rows +files before +after +bytes before +after$/)
  expect(line).toMatch(/^iot_reward_shares +2025-01 +3 +3 +1 +\d+ +\d+$/)
  expect(sum).toMatch(
    /^3 files became 1 in \d+\.\d s; the old ones stay for older snapshots until ledgerlake vacuum$/,
  )
  expect(end).toBe('')
  expect((await run('compact')).stdout).toBe('Nothing to gain: closed months lie in few files already.\n')

  expect((await run('vacuum')).stdout).toBe('0 files of 0 bytes removed\n')
  const dry = (await run('vacuum', '--keep-hours', '0', '--dry-run')).stdout.trimEnd().split('\n')
  expect(dry).toHaveLength(6)
  expect(dry[2]).toMatch(/^iot_reward_shares\/month=2025-01\/part-.*\.parquet$/)
  expect(dry[5]).toMatch(/^3 files of \d+ bytes would be removed$/)
  const removed = await run('vacuum', '--keep-hours', '0')
  expect(removed.code).toBe(0)
  expect(removed.stdout).toMatch(
    /^table +files +bytes\niot_reward_shares +3 +\d+\n3 files of \d+ bytes removed\n$/,
  )
  expect((await run('vacuum', '--keep-hours', '0')).stdout).toBe('0 files of 0 bytes removed\n')
})

it('compact and vacuum print the same results as JSON with --json', async () => {
  const run = await newLake()
  const compacted = readExact<{ partitions: object[] }>((await run('compact', '--json')).stdout)
  expect(compacted.partitions).toMatchObject([
    { table: 'iot_reward_shares', partition: '2025-01', rows: 3n, filesBefore: 3n, filesAfter: 1n },
  ])
  const { stdout } = await run('vacuum', '--json', '--keep-hours', '0')
  const vacuumed = readExact<{ dryRun: boolean; tables: { table: string; paths: string[] }[] }>(stdout)
  expect(vacuumed).toMatchObject({ dryRun: false, keepHours: 0n, tables: [{ table: 'iot_reward_shares' }] })
  expect(vacuumed.tables[0]?.paths).toHaveLength(3)
})

it.each([
  [['compact', '--month', '2025-02'], 2, 'ledgerlake: --month is 2025-02; the lake has 2025-01, 2025-03.\n'],
  [
    ['compact', '--month', '2025-13'],
    2,
    "error: option '--month <YYYY-MM>' argument '2025-13' is invalid. Use months such as 2026-07, separated by commas.\n",
  ],
  [
    ['vacuum', '--keep-hours', '-1'],
    2,
    "error: option '--keep-hours <H>' argument '-1' is invalid. Use a whole number.\n",
  ],
])('%j is refused with a sentence', async (args, code, sentence) => {
  const run = await newLake()
  expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: sentence })
})

it.each(['compact', 'vacuum'])(
  '%s without a lake fails with a sentence, and creates none',
  async (command) => {
    const cwd = await temporaryFolder()
    const { code, stderr } = await runMain([command, '--lake', 'none'], { cwd })
    expect([code, stderr]).toEqual([
      4,
      'ledgerlake: There is no lake at none; make one with: ledgerlake ingest PATH... --lake none\n',
    ])
  },
)
