import type { Estimate } from '../sync/estimate.ts'
import { type Prices, type Usage, writeDollars } from '../sync/prices.ts'
import type { SyncSummary } from '../sync/sync-bucket.ts'
import { sizeText } from './terminal-text.ts'

/** An estimate in sentences. */
export function estimateLines(
  { objects, usage, nanos, diskBytes, seconds, looked }: Estimate & { readonly looked: Usage },
  prices: Prices,
): readonly string[] {
  if (objects === 0) return [`nothing to fetch: the lake has all that ${looked.lists} listings found`]
  const price = `${dollars(prices.perThousandLists)} a thousand listings, ${dollars(prices.perThousandReads)} a thousand reads, ${dollars(prices.perGb)} a GB`
  return [
    `${objects} files to fetch, ${usage.bytes} bytes; ${looked.lists} listings were needed to know, and as many will be again`,
    `${writeDollars(nanos)} USD (${price})`,
    `some ${sizeText(Number(diskBytes))} of disk, ${timeText(seconds)} at least`,
  ]
}

/** What a run did. */
export function summaryLines(source: string, summary: SyncSummary, seconds: number): readonly string[] {
  const { listed, fetched, stored, rows, left, usage, nanos, totalNanos, isBudgetSpent } = summary
  const lines = [
    `${source}: ${listed} files listed, ${fetched} fetched, ${stored} stored, ${rows} rows, in ${seconds.toFixed(1)} s`,
    `${usage.lists} listings, ${usage.reads} reads, ${usage.bytes} bytes: ${writeDollars(nanos)} USD, ${writeDollars(totalNanos)} USD in all`,
    ...left.map(({ key, reason }) => `left: ${key}: ${reason}`),
  ]
  return isBudgetSpent ? [...lines, 'The budget is spent; a higher --budget goes on from here.'] : lines
}

/** JSON, line by line; integers that may be beyond 2^53 are text. */
export function jsonOf(value: object): readonly string[] {
  const text = JSON.stringify(value, (_, own: unknown) => (typeof own === 'bigint' ? String(own) : own), 2)
  return text.split('\n')
}

/** Prices have few decimals, so none is rounded. */
function dollars(nanos: bigint): string {
  const digits = String(nanos).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/0+$/, '').replace(/\.$/, '')
}

function timeText(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}
