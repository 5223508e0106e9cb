import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { leftoversOf } from '../support/lakes/leftovers.ts'
import { craftArtifact, oneDay } from '../support/messages/craft-artifacts.ts'
import { runProgram, startProgram, startServing } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitUntil } from '../support/wait.ts'

const DAY_MS = 86_400_000
const march = { start_period: oneDay.start_period + 2_678_400_000_000n, end_period: 1_740_787_200_000_000n }
const preload = fileURLToPath(new URL('../support/shift-clock.mjs', import.meta.url))

let cwd = ''
/** Each source has a name of its own. */
let namedAt = 1_738_110_600_000
beforeEach(async () => {
  cwd = await temporaryFolder()
})

/** A program whose clock stands at that time when it starts; the real one is left alone. */
const at = (clock: number) => ({
  cwd,
  env: { NODE_OPTIONS: `--import=${preload}`, CLOCK_AT: String(clock) },
})

function craft(folder: string, files: number, days = oneDay): void {
  mkdirSync(join(cwd, folder), { recursive: true })
  const row = { ...days, reward_type: 'operational_reward', amount: 5n }
  for (let file = 0; file < files; file += 1)
    craftArtifact(join(cwd, folder), 'iot_reward_share', namedAt++, [row])
}

async function run(args: readonly string[], around: Parameters<typeof runProgram>[1] = { cwd }) {
  const { code, stdout, stderr } = await runProgram([...args, '--lake', 'lake'], around)
  expect([code, stderr]).toEqual([0, expect.any(String)])
  return stdout
}

const januaryFiles = () => readdirSync(join(cwd, 'lake/iot_reward_shares/month=2025-01')).length

/** Two files of January, and one of March in an entry of its own. */
async function ingestBoth(): Promise<void> {
  craft('one', 1)
  await run(['ingest', 'one'])
  craft('two', 1)
  await run(['ingest', 'two'])
  craft('march', 1, march)
  await run(['ingest', 'march'])
}

it('a compaction at a clock of 2001 and later vacuums at a right clock and one a month ahead remove no file of the last week', async () => {
  await ingestBoth()
  await run(['compact'], at(Date.UTC(2001, 0, 1)))
  expect(januaryFiles()).toBe(3)
  for (const clock of [Date.now(), Date.now() + 30 * DAY_MS, Date.UTC(2001, 0, 1)])
    expect(await run(['vacuum'], at(clock))).toBe('0 files of 0 bytes removed\n')
  expect(januaryFiles()).toBe(3)
  expect(await run(['vacuum', '--keep-hours', '0'])).toMatch(/^2 files of \d+ bytes removed$/m)
})

it('a running ingest keeps its folder while others start with clocks far ahead and far behind', async () => {
  craft('one', 40)
  const first = startProgram(['ingest', 'one', '--lake', 'lake'], { cwd })
  const staging = join(cwd, 'lake/_staging')
  await waitUntil(() => existsSync(staging) && readdirSync(staging).length > 0)
  first.child.kill('SIGSTOP')
  const runs = readdirSync(staging)
  expect(runs).toHaveLength(1)
  craft('march', 1, march)
  await run(['ingest', 'march'], at(Date.now() + 8 * DAY_MS))
  await run(['vacuum'], at(Date.now() + 3650 * DAY_MS))
  await run(['vacuum'], at(Date.UTC(2001, 0, 1)))
  expect(readdirSync(staging)).toEqual(runs)
  first.child.kill('SIGCONT')
  expect(await first.finished).toMatchObject({ code: 0 })
  expect((await new Lake(join(cwd, 'lake')).latest()).table(iotRewardShares).rows).toBe(41)
  expect(leftoversOf(join(cwd, 'lake'))).toEqual([])
})

it('vacuums keep the files of a snapshot that a server uses, until the server is killed', async () => {
  await ingestBoth()
  const served = await startServing(['--lake', 'lake', '--port', '0', '--refresh-ms', '60000'], { cwd })
  const list = `${served.address}/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-04-01`
  const before = await (await fetch(list)).text()
  await run(['compact'])
  expect(await run(['vacuum', '--keep-hours', '0'])).toBe('0 files of 0 bytes removed\n')
  expect(await (await fetch(`${list}&page=1`)).text()).toBe(before)
  served.child.kill('SIGKILL')
  await served.finished
  expect(await run(['vacuum', '--keep-hours', '0'])).toMatch(/^2 files of \d+ bytes removed$/m)
  expect(leftoversOf(join(cwd, 'lake'))).toEqual([])
})
