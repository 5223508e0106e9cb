import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { workersOf } from '../../test/support/servers/workers.ts'
import { openClient } from '../support/client.ts'
import type { Serving } from '../support/program.ts'

/** What a server looks like from outside while something goes on. */
export interface Watched {
  /** The longest that `/healthz` took, in ms. */
  readonly healthMaxMs: number
  /** Resident memory in MB; needs /proc. */
  readonly peakMb: number
}

const EVERY_MS = 50
const MS_PER_TICK = 10

/** Asks for health and looks at memory every 50 ms until it is stopped. */
export function watchServer(server: Serving): () => Promise<Watched> {
  const client = openClient(server.address)
  const processes = processesOf(server)
  let [healthMaxMs, peakMb, isOver] = [0, 0, false]
  const watching = watch()
  async function watch(): Promise<void> {
    while (!isOver) {
      const asked = performance.now()
      await client.get('/healthz')
      healthMaxMs = Math.max(healthMaxMs, performance.now() - asked)
      peakMb = Math.max(peakMb, residentMb(processes))
      await setTimeout(EVERY_MS)
    }
  }
  return async () => {
    isOver = true
    await watching
    client.close()
    return { healthMaxMs, peakMb }
  }
}

/** Milliseconds that the machine below has taken from the first core since it was started; 0 where that is not told. */
export function stolenMs(): number {
  const fields = /^cpu0 (.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ')
  return Number(fields?.[7] ?? 0) * MS_PER_TICK
}

/** A server and its workers. */
export function processesOf({ pid }: Serving): readonly number[] {
  return [pid, ...workersOf(pid)]
}

/** Resident memory of processes together, in MB. */
export function residentMb(processes: readonly number[]): number {
  return processes.reduce((sum, one) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]
    return sum + Number(kilobytes) / 1024
  }, 0)
}
