import { setTimeout } from 'node:timers/promises'
import type { Random } from '../../../src/write/sample/random.ts'
import { readExact } from '../exact-json.ts'

/** Known of the lake beforehand: each day has thirty shares with 7 for beacons. */
const SHARES_A_DAY = 30n
const BEACON = 7n
const PAUSE_MS = 15

interface Page {
  readonly meta: { readonly total_pages: bigint }
  readonly records: readonly {
    readonly reward_detail: { readonly beacon_amount: bigint; readonly hotspot_key: string }
  }[]
}

/**
 * Asks a server for pages and totals of a lake that grows until it is told to stop; gives a sentence. Errors: Error for a failed or
 * wrong answer, or when hardly anything was asked.
 */
export async function loadServer(address: string, random: Random, isOver: () => boolean): Promise<string> {
  const latencies: number[] = []
  async function ask<T>(path: string, query: string): Promise<T> {
    const url = `${address}/v1/net/l2/iot-reward-shares${path}?from=2010-01-01&to=2027-01-01${query}`
    const began = performance.now()
    const reply = await fetch(url)
    const text = await reply.text()
    latencies.push(performance.now() - began)
    if (reply.status !== 200) throw new Error(`${url}: ${reply.status} ${text}`)
    return readExact(text) as T
  }
  let days = 0n
  /** A commit may have come in since the page. */
  async function checkTotals(unit: bigint, query: string): Promise<void> {
    const { total_beacon_amount: sum } = await ask<{ total_beacon_amount: bigint }>('/totals', query)
    if (sum % unit !== 0n || sum / unit < days)
      throw new Error(`${address}: a sum of ${sum} after ${days} days`)
  }
  for (let pages = 1; !isOver(); await setTimeout(PAUSE_MS)) {
    const query = `&page=${1 + random.below(pages)}&per_page=${SHARES_A_DAY}`
    const { meta, records } = await ask<Page>('', query)
    if (meta.total_pages < days) throw new Error(`${address}: ${meta.total_pages} days after ${days}`)
    days = meta.total_pages
    pages = Number(days)
    const amounts = records.map(({ reward_detail }) => reward_detail.beacon_amount)
    if (BigInt(records.length) !== SHARES_A_DAY || amounts.some((amount) => amount !== BEACON))
      throw new Error(`${address}: the amounts of a page are ${amounts}`)
    await checkTotals(BEACON * SHARES_A_DAY, '')
    await checkTotals(BEACON, `&hotspot_key=${records[0]?.reward_detail.hotspot_key}`)
  }
  if (latencies.length < 100) throw new Error(`${address}: hardly anything was asked`)
  latencies.sort((a, b) => a - b)
  const [median, slow] = [0.5, 0.99].map((part) => latencies[Math.floor(latencies.length * part)])
  return `${address}: ${latencies.length} requests, p50 ${median?.toFixed(1)} ms, p99 ${slow?.toFixed(1)} ms`
}
