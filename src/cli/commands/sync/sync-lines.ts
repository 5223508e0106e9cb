import type { FollowedSnapshot } from '../../../operate/follow/follow-shared.ts'
import { type StorePrices, writeDollars } from '../../../operate/sync/prices.ts'
import type { RecordsSummary } from '../../../operate/sync/records/sync-records.ts'
import type { LookedEstimate, SyncSummary } from '../../../operate/sync/sync-bucket.ts'
import { sizeText } from '../../terminal-text.ts'

/** Formats an estimate. */
export function estimateLines(
  { objects, usage, nanos, diskBytes, seconds, looked, left }: LookedEstimate,
  prices: StorePrices,
): readonly string[] {
  const leftLines = left.map(({ key, reason }) => `left: ${key}: ${reason}`)
  if (objects === 0 && left.length > 0)
    return [`nothing to fetch; ${left.length} files are left until they change`, ...leftLines]
  if (objects === 0) return [`nothing to fetch: the lake has all that ${looked.lists} listings found`]
  const price = `${dollars(prices.perThousandLists)} a thousand listings, ${dollars(prices.perThousandReads)} a thousand reads, ${dollars(prices.perGb)} a GB`
  return [
    `${objects} files to fetch, ${usage.bytes} bytes; ${looked.lists} listings were needed to know, and as many will be again`,
    `${writeDollars(nanos)} USD (${price})`,
    `some ${sizeText(Number(diskBytes))} of disk, ${timeText(seconds)} at least`,
    ...leftLines,
  ]
}

/** Formats the result of a run. */
export function summaryLines(source: string, summary: SyncSummary, seconds: number): readonly string[] {
  const { listed, fetched, stored, rows, left, gone, usage, nanos, totalNanos, isBudgetSpent } = summary
  const lines = [
    `${source}: ${listed} files listed, ${fetched} fetched, ${stored} stored, ${rows} rows, in ${seconds.toFixed(1)} s`,
    `${usage.lists} listings, ${usage.reads} reads, ${usage.bytes} bytes: ${writeDollars(nanos)} USD, ${writeDollars(totalNanos)} USD in all`,
    ...left.map(({ key, reason }) => `left: ${key}: ${reason}`),
    ...gone.map((key) => `gone: ${key}: it was left before, and the bucket has it no more`),
  ]
  return isBudgetSpent ? [...lines, 'The budget is spent; a higher --budget goes on from here.'] : lines
}

const MOST_LEFT = 20

/** Formats the result of a run over records of a service. */
export function recordsLines(name: string, address: string, summary: RecordsSummary): readonly string[] {
  const { requests, walks, pages, records, changed, removed, left, kept, certainty, snapshot } = summary
  const from = `${name} of ${address}`
  if (walks === 0) return [`${from}: nothing new since snapshot ${snapshot}, ${requests} requests`]
  const sure = {
    snapshot: `all pages are of snapshot ${snapshot}`,
    counted: 'as many as the service counts; one that was added or moved while they were read may be missing',
    settled: `the list was read ${walks} times, and the last time brought nothing new; it has no order, so one may be missing`,
    unsettled: `the list was read ${walks} times, and each time brought something new, so some are missing; run it again`,
  }
  return [
    `${from}: ${records} records on ${pages} pages, ${changed} new or different, ${removed} removed, ${requests} requests`,
    sure[certainty],
    ...left.slice(0, MOST_LEFT).map(({ key, reason }) => `left: ${key}: ${reason}`),
    ...(left.length > MOST_LEFT ? [`left: ${left.length - MOST_LEFT} more`] : []),
    ...(kept === null ? [] : [`nothing was removed: ${kept}`]),
  ]
}

/** Formats the result of following a lake. */
export function followedLines(
  address: string,
  { commits, files, bytes, snapshot }: FollowedSnapshot,
  seconds: number,
): readonly string[] {
  if (snapshot === '') return [`${address}: nothing has been ingested there yet`]
  if (commits === 0) return [`${address}: nothing new since snapshot ${snapshot}`]
  const came = `${commits} commits, ${files} files, ${bytes} bytes`
  return [`${address}: ${came}, in ${seconds.toFixed(1)} s; the copy has snapshot ${snapshot}`]
}

/** Formats a price without rounding, since prices have few decimals. */
function dollars(nanos: bigint): string {
  const digits = String(nanos).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/0+$/, '').replace(/\.$/, '')
}

function timeText(seconds: number): string {
  if (seconds < 120) return `${Math.max(1, seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}
