import { bytesBelow } from '../peers/bytes.ts'
import { program, runToEnd, type Serving, startServing } from '../support/program.ts'

/** The servers that are measured: where each keeps what makes it faster, and what that costs. */

/** What it takes to build what the newest snapshot lacks, by a process of its own as `serve` starts it. */
export interface Built {
  readonly seconds: number
  readonly peakMb: number | null
  readonly bytes: number
}

export async function buildState(lake: string, state: string): Promise<Built> {
  const { seconds, peakMb } = await runToEnd([program, 'build-derived', '--lake', lake, '--state', state])
  return { seconds, peakMb, bytes: bytesBelow(state) }
}

/** A server that remembers no answer. A port other than 0 is one that a balancer knows it by. */
export function serve(lake: string, state: string, { workers = 1, port = 0 } = {}): Promise<Serving> {
  return startServing([
    ...[program, 'serve', '--lake', lake, '--state', state, '--port', String(port)],
    ...['--workers', String(workers), '--answer-memory-mb', '0', '--trust-proxy', 'loopback'],
    // On a busy machine, and held to a part of a core, they are slow and shall not refuse.
    ...['--most-wait-ms', '60000', '--slow-request-ms', '0'],
  ])
}

export function portOf({ address }: Serving): number {
  return Number(new URL(address).port)
}

/** Requests that servers have answered, whatever their status, by their own counts. */
export async function answeredBy({ address }: Serving): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const counted = /^ledgerlake_requests_total\{method="GET",route="\/v1\/[^"]*",status="\d+"\} (\d+)$/gm
  return [...text.matchAll(counted)].reduce((sum, [, count]) => sum + Number(count), 0)
}
