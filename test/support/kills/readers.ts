import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { readExact } from '../exact-json.ts'
import { type Serving, startServing } from '../run-program.ts'
import { RANGE } from '../torture/tiny-steps.ts'
import type { Step } from './inputs.ts'

/** Callers of a running server who hold every answer against the states that were committed. */

const members = ['beacon_amount', 'witness_amount', 'amount'] as const

/** The totals that a state has, by its messages. */
function totalsOf({ sources }: Step): string {
  const shares = sources.filter(({ table }) => table === 'iot_reward_shares')
  return members.map((name) => shares.reduce((sum, { sums }) => sum + (sums[name] ?? 0n), 0n)).join(' ')
}

export interface Readers {
  readonly server: Serving
  /** From now on answers may be of this state too. */
  allow(step: Step): void
  /** Waits for a new answer, which must be of this state. */
  expectSoon(step: Step): Promise<void>
  answered(): number
  /** Throws when an answer was of no committed state, or was an error. */
  stop(): Promise<void>
}

function ask(address: string, agent: Agent): Promise<{ status: number; text: string }> {
  const path = `/v1/net/l2/iot-reward-shares/totals?${new URLSearchParams(RANGE)}`
  return new Promise((resolve, reject) => {
    const request = get(address + path, { agent }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, text })).once('error', reject)
    })
    request.once('error', reject)
  })
}

/** Serves a lake with two workers to callers who ask without a pause. */
export async function openReaders(lake: string, cwd: string): Promise<Readers> {
  const args = ['--lake', lake, '--port', '0', '--workers', '2', '--refresh-ms', '50']
  const server = await startServing(args, { cwd, env: { LEDGERLAKE_WORKERS: '2' } })
  const agent = new Agent({ keepAlive: false })
  const allowed = new Set<string>()
  const wrong: string[] = []
  let [isStopped, answered, newest] = [false, 0, '']

  async function read(): Promise<void> {
    while (!isStopped) {
      // A worker that is killed breaks its connections.
      const reply = await ask(server.address, agent).catch(() => undefined)
      if (reply === undefined) continue
      answered += 1
      if (reply.status !== 200) wrong.push(`${reply.status}: ${reply.text}`)
      else {
        const totals = readExact<Record<string, bigint>>(reply.text)
        newest = members.map((name) => totals[`total_${name}`]).join(' ')
        if (!allowed.has(newest)) wrong.push(`totals ${newest} of no state`)
      }
    }
  }
  let reading: Promise<void> | undefined
  return {
    server,
    allow(step) {
      allowed.add(totalsOf(step))
      reading ??= read()
    },
    async expectSoon(step) {
      const giveUpAt = performance.now() + 30_000
      while (newest !== totalsOf(step)) {
        assert.ok(performance.now() < giveUpAt, `${newest} is still answered, not ${totalsOf(step)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    answered: () => answered,
    async stop() {
      isStopped = true
      await reading
      agent.destroy()
      server.child.kill()
      await server.finished
      assert.deepEqual(wrong, [], 'readers got wrong answers')
      assert.ok(answered > 0, 'nobody read')
    },
  }
}
