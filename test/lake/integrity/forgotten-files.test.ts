import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PlainFiles } from '../../../src/lake/disk/plain-files.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { craftArtifact, oneDay } from '../../support/messages/craft-artifacts.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const list = '/l2/iot-reward-shares?from=2025-01-01&to=2025-02-01'
const COMMITS = 12
/** The newest, the one before, and those that are remembered for `as_of`. */
const MOST_SNAPSHOTS = 10

it('a server remembers only the files of its last snapshots after many replacements and vacuums', async () => {
  const home = await temporaryFolder()
  const lake = join(home, 'lake')
  const sizes: number[] = []
  let server: Awaited<ReturnType<typeof buildTestServer>> | undefined
  for (let commit = 1; commit <= COMMITS; commit += 1) {
    const input = join(home, `in-${commit}`)
    mkdirSync(input)
    const share = { ...oneDay, reward_type: 'operational_reward', amount: BigInt(commit) } as const
    craftArtifact(input, 'iot_reward_share', 1_738_110_600_000, [share])
    expect(await ingestInto(lake, [input], { replace: true })).toMatchObject({ stored: 1 })
    await vacuum({ lake, keepHours: 0, isDryRun: false })
    const { id } = await new Lake(lake).latest()
    server ??= await buildTestServer(lake, 5)
    const { get } = server
    await expect.poll(async () => (await get(list)).headers['ledgerlake-snapshot']).toBe(id)
    sizes.push(server.checkedFiles.verdicts.size)
  }
  expect(sizes[0]).toBe(1)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_SNAPSHOTS)
  expect(sizes.at(-1)).toBeLessThan(COMMITS)
})

it('only live data files are remembered as regular files', async () => {
  const lake = await temporaryFolder()
  const [live, gone] = ['live.parquet', 'gone.parquet'].map((name) => join(lake, name)) as [string, string]
  for (const path of [live, gone]) writeFileSync(path, '')
  const plain = new PlainFiles(lake)
  await plain.check([live, gone])
  expect([plain.size, plain.check([live, gone])]).toEqual([2, undefined])
  plain.retain(new Set([live]))
  expect([plain.size, plain.check([live])]).toEqual([1, undefined])
  expect(plain.check([gone])).toBeInstanceOf(Promise)
})
