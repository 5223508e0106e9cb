import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Random } from '../../../src/write/sample/random.ts'
import { readExact } from '../../support/exact-json.ts'
import { startServing } from '../../support/servers/run-program.ts'
import { workersOf } from '../../support/servers/workers.ts'
import type { Held } from '../interrupts/lake-checks.ts'
import { RANGE } from '../interrupts/oracle-steps.ts'
import type { SourceSums } from '../interrupts/sources.ts'

/** Clients of a running server who compare every answer with the states that were committed. */

const LONGEST_MS = 60_000
const members = ['beacon_amount', 'witness_amount', 'amount'] as const
const path = `/v1/net/l2/iot-reward-shares/totals?${new URLSearchParams(RANGE)}`

/** The totals of a state, by its messages. */
function totalsOf(sources: readonly SourceSums[]): string {
  const shares = sources.filter(({ table }) => table === 'iot_reward_shares')
  return members.map((name) => shares.reduce((sum, { sums }) => sum + (sums[name] ?? 0n), 0n)).join(' ')
}

/** Serves a lake with two workers to a client that asks without a pause, each time by a new connection. */
export async function openReaders(lake: string, { before, after, key = '' }: Held) {
  const args = ['--lake', lake, '--port', '0', '--workers', '2', '--refresh-ms', '50']
  const server = await startServing(args, { cwd: join(lake, '..'), env: { LEDGERLAKE_WORKERS: '2' } })
  const headers = { authorization: `Bearer ${key}` }
  const allowed = [before, after].map(totalsOf)
  const wrong: string[] = []
  let [isStopped, answered, newest] = [false, 0, '']

  async function ask(): Promise<void> {
    const request = get(server.address + path, { agent: false, headers }).on('error', () => {})
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    const body = await text(reply)
    answered += 1
    if (reply.statusCode !== 200) wrong.push(`${reply.statusCode}: ${body}`)
    else {
      const totals = readExact<Record<string, bigint>>(body)
      newest = members.map((name) => totals[`total_${name}`]).join(' ')
      if (!allowed.includes(newest)) wrong.push(`totals ${newest} of no state`)
    }
  }
  async function read(): Promise<void> {
    // A worker that is killed breaks its connections.
    while (!isStopped) await ask().catch(() => {})
  }
  const reading = read()
  return {
    /** One of the workers; the parent starts another. */
    killWorker(random: Random): void {
      const workers = workersOf(server.child.pid)
      assert.ok(workers.length > 0, 'there are no workers')
      process.kill(workers[random.below(workers.length)] as number, 'SIGKILL')
    },
    /** Waits for an answer of the last state. Errors: AssertionError when an answer was of no state or an error; gives how many came. */
    async stop(): Promise<number> {
      const giveUpAt = performance.now() + LONGEST_MS
      while (newest !== allowed[1]) {
        assert.ok(performance.now() < giveUpAt, `${wrong[0] ?? newest} is still answered, not ${allowed[1]}`)
        await setTimeout(20)
      }
      isStopped = true
      await reading
      server.child.kill()
      await server.finished
      // Those of a worker that was killed stay there.
      rmSync(join(lake, '_readers'), { recursive: true, force: true })
      assert.deepEqual(wrong, [], 'readers got wrong answers')
      return answered
    },
  }
}
