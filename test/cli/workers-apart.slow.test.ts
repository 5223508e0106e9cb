import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readExpected, smallOracle } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { frameFile, operational } from '../support/messages/oracle-messages.ts'
import { runProgram, type Surroundings, startServing } from '../support/servers/run-program.ts'
import { askEachWorker, workersOf } from '../support/servers/workers.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What several workers do where something around them is unusual. */

const path = '/l2/iot-reward-shares?from=2025-01-28&to=2025-02-01'
const workers = ['--lake', 'lake', '--port', '0', '--workers', '2']
const serve = (cwd: string, more: Partial<Surroundings> = {}, ...flags: string[]) =>
  startServing([...workers, ...flags], { cwd, ...more })

async function folderWithLake(): Promise<string> {
  const folder = await temporaryFolder()
  await ingestInto(join(folder, 'lake'), [smallOracle])
  return folder
}

it('a restart keeps the counts of metrics that no client had requested', async () => {
  const { address, child, stderr } = await serve(await folderWithLake())
  const before = workersOf(child.pid)
  for (let turn = 0; turn < 40; turn += 1) {
    const reply = await fetch(`${address}/v1/net${path}`, { headers: { connection: 'close' } })
    expect([reply.status, (await reply.text()).length > 100]).toEqual([200, true])
  }
  child.kill('SIGHUP')
  while (!stderr().includes('All 2 workers were replaced.')) await setTimeout(20)
  while (workersOf(child.pid).some((pid) => before.includes(pid))) await setTimeout(20)
  const text = await (await fetch(`${address}/metrics`)).text()
  const counted = 'ledgerlake_requests_total{method="GET",route="/v1/net/l2/iot-reward-shares",status="200"}'
  expect(text).toContain(`${counted} 40\n`)
})

it('workers and the builder have the settings of the file and of the environment', async () => {
  const folder = await temporaryFolder()
  mkdirSync(join(folder, 'in'))
  const many = Array.from({ length: 20_000 }, (_, place) => operational(place))
  writeFileSync(join(folder, 'in', 'iot_reward_share.1738369800559.gz'), frameFile(many))
  await ingestInto(join(folder, 'lake'), [join(folder, 'in')])
  writeFileSync(join(folder, 'mine.json'), JSON.stringify({ lake: 'lake', network: 'fromfile' }))
  const env = { LEDGERLAKE_CONFIG: 'mine.json', LEDGERLAKE_STATE: 'apart', LEDGERLAKE_WORKERS: '2' }
  const { address, child } = await startServing(['--port', '0'], { cwd: folder, env })
  const own = await askEachWorker(address, workersOf(child.pid), `/v1/fromfile${path}`)
  expect([...own.values()].map((body) => JSON.parse(body).meta.count)).toEqual([25, 25])
  await expect.poll(() => existsSync(join(folder, 'apart'))).toBe(true)
  await expect.poll(() => readdirSync(join(folder, 'apart'), { recursive: true }).length).toBeGreaterThan(1)
  expect(existsSync(join(folder, 'lake', '_state'))).toBe(false)
})

it('workers on a lake that they may not write to count a quota together, and leave no folder of counts', async () => {
  const folder = await folderWithLake()
  const [temporary, state] = [join(folder, 'tmp'), join(folder, 'state')]
  for (const made of [temporary, state]) mkdirSync(made)
  const flags = ['--name', 'a', '--quota', '20', '--lake', 'lake']
  const key = (await runProgram(['keys', 'add', ...flags], { cwd: folder })).stdout.trim().split('\n').at(-1)
  chmodSync(join(folder, 'lake', '_keys', 'keys.ndjson'), 0o644)
  for (const read of ['', 'lake', 'lake/_keys']) chmodSync(join(folder, read), 0o555)
  for (const written of [temporary, state]) chmodSync(written, 0o777)
  const { address, child, finished } = await serve(
    folder,
    { asOther: true, env: { TMPDIR: temporary, LEDGERLAKE_WORKERS: '2' } },
    '--state',
    'state',
  )
  const counts = () => readdirSync(temporary).filter((name) => name.startsWith('ledgerlake-counts-'))
  expect(counts()).toHaveLength(1)
  const asked = Array.from({ length: 50 }, async () => {
    const reply = await fetch(`${address}/v1/net${path}`, { headers: { authorization: `Bearer ${key}` } })
    await reply.text()
    return reply.status
  })
  const statuses = (await Promise.all(asked)).sort()
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(30).fill(402)])
  child.kill('SIGTERM')
  expect((await finished).code).toBe(0)
  expect(counts()).toEqual([])
  chmodSync(folder, 0o755)
})

describe('a stop during exports', () => {
  const ROWS = 60_000

  async function begin(address: string): Promise<IncomingMessage> {
    const request = get(`${address}/v1/net${path}&format=ndjson`, { agent: new Agent() })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    return response
  }
  /** How many lines came, and whether the end was told. */
  async function read(response: IncomingMessage) {
    let lines = 0
    try {
      for await (const part of response.setEncoding('utf8')) lines += String(part).split('\n').length - 1
    } catch {}
    return { lines, isWhole: response.complete }
  }

  it('completes the export of a reading client, and resets the export of an idle client', async () => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, 'in'))
    const shares = Array.from({ length: ROWS }, (_, place) => operational(place))
    writeFileSync(join(folder, 'in', 'iot_reward_share.1738369800559.gz'), frameFile(shares))
    await ingestInto(join(folder, 'lake'), [join(folder, 'in')])
    const { address, child, finished } = await serve(folder)
    const [readOn, leftAlone] = [await begin(address), await begin(address)]
    child.kill('SIGTERM')
    expect(await read(readOn)).toEqual({ lines: ROWS, isWhole: true })
    await finished
    const cut = await read(leftAlone)
    expect(cut.isWhole).toBe(false)
    expect(cut.lines).toBeLessThan(ROWS)
  })
})

it('workers with indexes of an older snapshot answer from the newest one, and have them rebuilt', async () => {
  const folder = await temporaryFolder()
  const state = join(folder, 'lake', '_state')
  const ingest = async (...words: string[]) =>
    expect(await runProgram(['ingest', ...words, '--lake', 'lake'], { cwd: folder })).toMatchObject({
      code: 0,
    })
  const many = Array.from({ length: 20_000 }, (_, place) => operational(place, 1_735_700_000))
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'in', 'iot_reward_share.1735700000000.gz'), frameFile(many))
  await ingest('in')
  cpSync(state, join(folder, 'older'), { recursive: true })
  await ingest(smallOracle)
  const built = () => readdirSync(state, { recursive: true, encoding: 'utf8' }).sort()
  const newest = built()
  rmSync(state, { recursive: true })
  cpSync(join(folder, 'older'), state, { recursive: true })
  expect(built()).not.toEqual(newest)
  const { address, child } = await serve(folder)
  const { queries } = readExpected()
  const asked = queries.filter(({ network, params }) => network === 'iot' && 'hotspot_key' in params)
  for (const { params, totals } of some(asked).slice(0, 3)) {
    const url = `/v1/net/l2/iot-reward-shares/totals?${new URLSearchParams(params)}`
    const bodies = await askEachWorker(address, workersOf(child.pid), url)
    for (const [name, digits] of Object.entries(totals))
      for (const body of bodies.values()) expect(body).toContain(`"${name}":${digits}`)
  }
  const complete = async () => {
    const text = await (await fetch(`${address}/metrics`)).text()
    return [...text.matchAll(/^ledgerlake_derived_complete\{.*\} (\d)$/gm)].map(([, value]) => value)
  }
  await expect.poll(complete).not.toContain('0')
})
