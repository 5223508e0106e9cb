import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { smallOracle } from '../support/fixtures.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { installPackage } from '../support/package/install-package.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { addressOf } from '../support/servers/mcp-client.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A folder with the packed package and the examples. */
let folder: string

beforeAll(async () => {
  folder = await installPackage(['fastify', '@types/node'])
  cpSync(join(root, 'examples'), folder, { recursive: true })
})

const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, [...args], { cwd: folder, encoding: 'utf8' })

describe('an example', () => {
  it('ingests and prints what hotspots earned', () => {
    const text = run('earnings.mjs', 'lake', smallOracle)
    expect(text).toMatch(
      /^20 files stored, 0 skipped, 0 failed\n(\w{50,} \d+\.\d+ iot_reward_token_\w+\n){3,6}\d+ rewards of gateways\n$/,
    )
    expect(run('earnings.mjs', 'lake', smallOracle)).toMatch(/^0 files stored, 20 skipped/)
  })

  it('compares two lakes with CommonJS, one of which is empty', () => {
    run('earnings.mjs', 'one', smallOracle)
    expect(run('two-lakes.cjs', 'one', 'nothing')).toMatch(/^difference: [1-9]\d+\n$/)
    expect(run('two-lakes.cjs', 'one', 'one')).toBe('difference: 0\n')
  })

  it('serves a lake in an app of Fastify', async () => {
    run('earnings.mjs', 'served', smallOracle)
    const app = spawn(process.execPath, ['app.mjs', 'served', '0'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void app.kill('SIGKILL'))
    const [origin] = (await once(createInterface({ input: app.stdout }), 'line')) as [string]
    const greatest = (await (await fetch(`${origin}/greatest`)).json()) as { earned: string }
    expect(greatest.earned).toMatch(/^[1-9]\d+$/)
    const totals = await fetch(
      `${origin}/data/v1/net/l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01`,
    )
    expect(await totals.text()).toContain('"total_amount":36403378988914885')
    app.kill('SIGTERM')
    expect(await once(app, 'exit')).toEqual([0, null])
  })

  it('reads a server through the client', async () => {
    const { server } = await buildTestServer(await smallLake())
    const address = await addressOf(server)
    const child = spawn(process.execPath, ['client.mjs', `${address}/v1/net`], { cwd: folder })
    let text = ''
    for await (const chunk of child.stdout) text += String(chunk)
    expect(text).toMatch(/^total: 36403378988914885 bones\noperations and unallocated: \d+ bones\n$/)
  })
})

/** Uses types of every entry. */
const consumer = `import { type Lake, LedgerlakeError, openLake } from 'ledgerlake'
import { openClient } from 'ledgerlake/client'
import { ledgerlake } from 'ledgerlake/fastify'
export async function use(lake: Lake): Promise<bigint> {
  const { totalAmount } = await lake.iotRewardShares.totals({ from: new Date(0), to: '2025-02-01', hotspotKey: 'a' })
  const amount: bigint = totalAmount
  for await (const share of lake.iotRewardShares.rows({ firstDay: '2025-01' }))
    if (share.rewardType === 'gateway_reward') { const beacons: bigint | null = share.rewardDetail.beaconAmount; void beacons }
  // @ts-expect-error no such type of reward
  await lake.iotRewardShares.page({ rewardType: 'wrong' })
  // @ts-expect-error makers have no totals
  lake.makers.totals
  const hotspot = await openClient({ url: 'http://127.0.0.1' }).hotspots.find('id')
  const name: string | undefined = hotspot?.name
  void [name, LedgerlakeError, ledgerlake, openLake]
  return amount
}
`

it.each(['mts', 'cts'])('the types are right for strict programs as %s', (extension) => {
  writeFileSync(join(folder, `use.${extension}`), consumer)
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--skipLibCheck',
    'false',
  ]
  const tsc = join(root, 'node_modules/.bin/tsc')
  const checked = () =>
    execFileSync(tsc, [...options, '--types', 'node', `use.${extension}`], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  try {
    expect(checked()).toBe('')
  } catch (error) {
    expect(String((error as { stdout?: string }).stdout)).toBe('')
  }
})
