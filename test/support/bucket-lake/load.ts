import { setTimeout } from 'node:timers/promises'
import type { Random } from '../../../src/write/sample/random.ts'
import { readExact } from '../exact-json.ts'

/** What is known of the lake without asking it: each day has thirty shares with 7 for beacons. */
const SHARES_A_DAY = 30n
const BEACON = 7n
const RANGE = 'from=2010-01-01&to=2027-01-01'
const PAUSE_MS = 15

/** What a server was asked for so far. */
export interface Load {
  readonly address: string
  requests: number
  /** Of the newest reply. */
  days: bigint
  /** The first wrong or failed answer. */
  fault: string | undefined
  readonly latencies: number[]
}

interface Page {
  readonly meta: { readonly total_pages: bigint }
  readonly records: readonly {
    readonly reward_detail: { readonly beacon_amount: bigint; readonly hotspot_key: string }
  }[]
}

/** Asks a server for pages and totals of a lake that grows until it is told to stop, and compares each reply with what must be. */
export async function loadServer(address: string, random: Random, isOver: () => boolean): Promise<Load> {
  const load: Load = { address, requests: 0, days: 0n, fault: undefined, latencies: [] }
  const path = `${address}/v1/net/l2/iot-reward-shares`
  async function ask<T>(url: string): Promise<T> {
    const began = performance.now()
    const reply = await fetch(url)
    const text = await reply.text()
    load.latencies.push(performance.now() - began)
    load.requests += 1
    if (reply.status !== 200) throw new Error(`${url}: ${reply.status} ${text}`)
    return readExact(text) as T
  }
  let pages = 1
  while (!isOver() && load.fault === undefined) {
    try {
      const page = 1 + random.below(pages)
      const { meta, records } = await ask<Page>(`${path}?${RANGE}&page=${page}&per_page=${SHARES_A_DAY}`)
      pages = Number(meta.total_pages)
      if (meta.total_pages < load.days) throw new Error(`${meta.total_pages} days after ${load.days}`)
      load.days = meta.total_pages
      if (BigInt(records.length) !== SHARES_A_DAY) throw new Error(`${records.length} records`)
      if (records.some(({ reward_detail }) => reward_detail.beacon_amount !== BEACON))
        throw new Error('another amount')
      const all = await ask<{ total_beacon_amount: bigint }>(`${path}/totals?${RANGE}`)
      const key = records[0]?.reward_detail.hotspot_key ?? ''
      const own = await ask<{ total_beacon_amount: bigint }>(`${path}/totals?${RANGE}&hotspot_key=${key}`)
      // A commit may have come in between.
      for (const [sum, unit] of [
        [all.total_beacon_amount, BEACON * SHARES_A_DAY],
        [own.total_beacon_amount, BEACON],
      ] as const)
        if (sum % unit !== 0n || sum / unit < load.days)
          throw new Error(`a sum of ${sum} after ${load.days} days`)
    } catch (error) {
      load.fault = String(error)
    }
    await setTimeout(PAUSE_MS)
  }
  return load
}
