import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { contentOf } from '../support/lakes/lake-content.ts'
import { filesBelow } from '../support/lakes/leftovers.ts'
import { iotReward, mobileReward, writeOracleFiles } from '../support/lakes/make-lake.ts'
import { runMain } from '../support/servers/run-main.ts'
import { program } from '../support/servers/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait.ts'

/** Has the shares of a day, enough for all that is derived. */
let folder = ''

async function ingest(kinds: string): Promise<void> {
  const args = ['ingest', 'network', '--only', kinds, '--lake', 'lake', '--state', 'elsewhere']
  expect(await runMain(args, { cwd: folder })).toMatchObject({ code: 0 })
}

beforeAll(async () => {
  folder = await temporaryFolder()
  const many = Array.from({ length: 10_000 }, (_, number) => number)
  await writeOracleFiles(join(folder, 'network'), {
    'iot/iot_reward_share.1.gz': many.map((number) => iotReward('2025-01-10', number, { beacon_amount: 7n })),
    // Too few for sums.
    'mobile/mobile_reward_share.1.gz': many
      .slice(1000)
      .map((number) => mobileReward('2025-01-10', number, { dc_transfer_reward: 7n })),
  })
  await ingest('iot_reward_share')
})

/** The process as an ingest starts it, and what it has said. */
function startBeside(state: string): { child: ChildProcess; said: unknown[] } {
  const said: unknown[] = []
  const [command = '', ...words] = [
    ...program,
    'build-derived',
    '--during-ingest',
    '--lake',
    'lake',
    '--state',
    state,
  ]
  const child = spawn(command, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.on('message', (sentence) => said.push(sentence))
  cleanUp(() => child.kill('SIGKILL'))
  return { child, said }
}

const blocksIn = (state: string) => filesBelow(join(folder, state)).filter((name) => name.endsWith('.blocks'))

/** Fails for one that goes on. */
const exitOf = (child: ChildProcess) => once(child, 'exit', { signal: AbortSignal.timeout(20_000) })

describe('the index builder of an ingest', () => {
  it('builds blocks as files are committed, and all but the index by hotspot after the last message', async () => {
    const { child, said } = startBeside('beside')
    await waitFor(() => expect(blocksIn('beside')).toHaveLength(1))
    await ingest('mobile_reward_share')
    await waitFor(() => expect(blocksIn('beside')).toHaveLength(2))
    expect(said).toEqual([])
    child.send('all is committed')
    expect(await exitOf(child)).toEqual([0, null])
    expect(said).toEqual([])

    const all = Object.entries(contentOf(join(folder, 'elsewhere')))
    const others = all.filter(([name]) => !name.startsWith('by-key'))
    expect(others.length).toBeGreaterThanOrEqual(2)
    expect(contentOf(join(folder, 'beside'))).toEqual(Object.fromEntries(others))
  })

  it('exits when the ingest has ended, and leaves no partial index', async () => {
    const { child } = startBeside('given-up')
    await waitFor(() => expect(existsSync(join(folder, 'given-up'))).toBe(true))
    child.disconnect()
    expect(await exitOf(child)).toEqual([0, null])
    expect(filesBelow(join(folder, 'given-up')).filter((name) => name.includes('building'))).toEqual([])
  })

  it('prints at the end which indexes could not be built', async () => {
    writeFileSync(join(folder, 'file'), '')
    const { child, said } = startBeside('file/state')
    child.send('all is committed')
    expect(await exitOf(child)).toEqual([0, null])
    const failure =
      'pages, lookups and filters stay slow: file/state/index/building cannot be written (ENOTDIR)'
    expect(said).toEqual([{ failure }])
  })
})
