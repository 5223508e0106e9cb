import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExpected, smallOracle } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { runProgram, type Serving, startServing } from '../support/servers/run-program.ts'
import { askEachWorker, workersOf } from '../support/servers/workers.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const totals = '/v1/net/l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01'
const WORKERS = 2
let folder = ''
let served: Serving
let key = ''

beforeAll(async () => {
  folder = await temporaryFolder()
  const lake = join(folder, 'lake')
  await ingestInto(lake, [smallOracle])
  const flags = ['--features', 'OracleData,Aggregates', '--quota', '60', '--lake', 'lake']
  const { stdout } = await runProgram(['keys', 'add', '--name', 'a', ...flags], { cwd: folder })
  key = stdout.trim().split('\n').at(-1) ?? ''
  // On a busy machine a request may be slow, which is a warning.
  const serving = ['--port', '0', '--workers', String(WORKERS), '--slow-request-ms', '0']
  served = await startServing(['--lake', 'lake', ...serving], { cwd: folder })
})

const ask = (path: string) => fetch(served.address + path, { headers: { authorization: `Bearer ${key}` } })

describe('a server of several workers', () => {
  it('prints its address once, and every worker returns the same response', async () => {
    expect(served.stdout().split('ledgerlake serves')).toHaveLength(2)
    const workers = workersOf(served.child.pid)
    expect(workers).toHaveLength(WORKERS)
    const answers = await askEachWorker(served.address, workers, '/readyz')
    expect(new Set(answers.values()).size).toBe(1)
    expect([...answers.keys()].sort()).toEqual([...workers].sort())
  })

  it('shares one count of connections per worker among all workers', async () => {
    const workers = some(workersOf(served.child.pid))
    const sockets = Array.from({ length: 6 }, () =>
      connect(Number(new URL(served.address).port), '127.0.0.1'),
    )
    const countsOf = (pid: number) => {
      const bytes = readFileSync(`/proc/${pid}/fd/4`)
      const places = Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readUInt32LE(place * 4))
      return places.filter((count) => count > 0).map((count) => count - 1)
    }
    const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
    await expect.poll(() => sumOf(countsOf(workers[0]))).toBeGreaterThanOrEqual(sockets.length)
    for (const pid of workers) expect(countsOf(pid)).toHaveLength(WORKERS)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => sumOf(countsOf(workers[0]))).toBeLessThan(sockets.length)
  })

  it('serves exactly as many requests as the quota of a key allows', async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => ask(totals)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 402)).toHaveLength(40)
    expect(new Set(await Promise.all(replies.filter(({ ok }) => ok).map((reply) => reply.text()))).size).toBe(
      1,
    )
  })

  it('returns the same sums of metrics from every worker', async () => {
    const texts = await askEachWorker(served.address, workersOf(served.child.pid), '/metrics')
    expect(texts.size).toBe(WORKERS)
    for (const text of texts.values()) {
      const route = 'route="/v1/net/l2/iot-reward-shares/totals"'
      expect(text).toContain(`ledgerlake_requests_total{method="GET",${route},status="200"} 60\n`)
      expect(text).toContain(`ledgerlake_requests_total{method="GET",${route},status="402"} 40\n`)
      expect(text).toContain(`ledgerlake_rows{table="iot_reward_shares"} ${readExpected().counts.iot}\n`)
    }
  })

  it('prints the reason once if it does not start, and ends with the exit code of it', async () => {
    const { port } = new URL(served.address)
    const flags = ['--lake', 'lake', '--port', port, '--workers', String(WORKERS)]
    expect(await runProgram(['serve', ...flags], { cwd: folder })).toEqual({
      code: 5,
      stdout: '',
      stderr: `ledgerlake: Port ${port} of 127.0.0.1 is taken; choose another with --port.\n`,
    })
  })

  it('stops on a signal although connections are idle, and leaves no worker', async () => {
    const workers = workersOf(served.child.pid)
    const socket = connect(Number(new URL(served.address).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    // As a terminal or systemd does it: the signal goes to every process.
    for (const pid of [...workers, served.child.pid as number]) process.kill(pid, 'SIGTERM')
    const { code, stderr } = await served.finished
    expect(code).toBe(0)
    const levels = some(stderr.trimEnd().split('\n')).map((line) => JSON.parse(line).level)
    expect(new Set(levels)).toEqual(new Set(['info']))
    expect(workers.map((pid) => () => process.kill(pid, 0))).toSatisfy((tries: (() => void)[]) =>
      tries.every((kill) => {
        expect(kill).toThrow('ESRCH')
        return true
      }),
    )
  })
})
