import type { Measured } from '../peers/measure.ts'
import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import { median } from '../support/percentiles.ts'
import { headOf, type Result } from '../support/results.ts'
import type { SeenCommits } from './commits.ts'
import type { Failure, Return } from './failures.ts'
import type { Built } from './members.ts'
import type { Door, RateCase } from './rates.ts'

/** The sections of docs/guide/scaling.md that follow from a result. */

export interface ScalingResult extends Result<RateCase> {
  /** Version of HAProxy. */
  readonly balancer: string
  readonly shares: number
  /** Of both tables of shares, their logs included. */
  readonly shareBytes: number
  readonly ingestSeconds: number
  readonly ingestPeakMb: number | null
  /** The state folders of two servers, each built by itself, and one that was copied. */
  readonly built: readonly Built[]
  readonly copied: Built
  /** Resident, after the load. */
  readonly memoryMb: Readonly<Record<'one' | 'second' | 'workers' | 'balancer', number>>
  /** Requests of the last case behind the balancer, by the servers' own counts. */
  readonly answered: { readonly a: number; readonly b: number }
  readonly commits: SeenCommits
  readonly failures: readonly Failure[]
  readonly returns: readonly Return[]
  /** Load averages of a minute, now and then. */
  readonly loads: readonly number[]
}

/** The table of steps. */
export function steps(result: ScalingResult): string {
  const { memoryMb, shares, shareBytes, built } = result
  const [own] = built
  const ratios = (heldTo: boolean, of: Door, to: Door) =>
    result.cases.filter((one) => (one.heldTo !== null) === heldTo).map((one) => ratioOf(one, of, to))
  const range = (values: readonly number[]) =>
    `${digits(Math.min(...values))} to ${digits(Math.max(...values))}`
  const perShare = (bytes: number) => `${digits(bytes / shares)} B a share`
  return wordTable(
    ['step', 'when', 'what it costs', 'what it gains'],
    [
      [
        '1. one machine',
        'until its disk is full, or one core is always busy',
        `${perShare(shareBytes)} in the lake, ${perShare(own?.bytes ?? 0)} in the state folder, ${digits(memoryMb.one)} MB`,
        'only one folder to maintain',
      ],
      [
        '2. workers',
        'one core is always busy, and others are idle',
        `${digits(memoryMb.workers - memoryMb.one)} MB for the second`,
        `${range(ratios(false, 'workers', 'one'))} times the requests on these two cores`,
      ],
      [
        '3. several servers',
        'all cores are busy, or the service must survive the loss of a machine',
        `each: ${digits(memoryMb.second)} MB, a state folder, ${digits(own?.seconds ?? 0)} s to build it; a balancer and a shared folder`,
        `${range(ratios(true, 'both', 'through'))} times the requests where cores are free, ${range(ratios(false, 'both', 'one'))} on these two cores; survives the failure of one`,
      ],
      [
        '4. a Trino cluster',
        'the files exceed the storage of one machine, or most queries scan whole tables',
        'a cluster, and a longer response time for each query that reaches it: [Trino](trino.md)',
        'all machines of the cluster, for scans of whole tables',
      ],
    ],
  )
}

/** Conditions under which the ratios of the table of steps were measured. */
export function aboutSteps({ loads }: ScalingResult): string {
  const most = Math.max(...loads)
  const shared =
    'The ratios come from [the figures below](#figures). Servers, HAProxy and the load generator shared two cores.'
  if (most <= QUIET_LOAD) return shared
  return `${shared} Other programs used the same cores
(load averages up to ${digits(most)}), which hides most of the gain of workers: [All cores](operating.md#all-cores) has a quieter run.`
}

/** Two cores with the load generator beside the servers are as busy by themselves. */
const QUIET_LOAD = 4

/** The figures, with where they were taken. */
export function figures(result: ScalingResult): string {
  const parts = [
    `${headOf(result)} HAProxy ${result.balancer}.\nLoad averages up to ${digits(Math.max(...result.loads))}. Above ${QUIET_LOAD}, other programs used part of the two cores; compare only ratios within one table.`,
    costs(result),
    rates(result.cases),
    held(result),
    commitsTable(result),
    failuresTable(result),
  ]
  return parts.join('\n\n')
}

function costs({
  shares,
  shareBytes,
  ingestSeconds,
  ingestPeakMb,
  built,
  copied,
  memoryMb,
}: ScalingResult): string {
  const [first, second] = built
  const perShare = (bytes: number | undefined) => digits((bytes ?? 0) / shares)
  const mb = (bytes: number | undefined) => whole((bytes ?? 0) / 1e6)
  const row = (name: string, one: Built | undefined) => [
    name,
    `${mb(one?.bytes)} MB`,
    perShare(one?.bytes),
    digits(one?.seconds ?? 0),
    digitsOr(one?.peakMb),
  ]
  return `### What is kept, and where

${markdownTable(
  [`${whole(shares)} reward shares`, 'on disk', 'bytes a share', 'seconds to make', 'peak MB'],
  [
    [
      'the lake, shared',
      `${mb(shareBytes)} MB`,
      perShare(shareBytes),
      digits(ingestSeconds),
      digitsOr(ingestPeakMb),
    ],
    row('state folder of the first server', first),
    row('state folder of the second server', second),
    row('a copied state folder, checked', copied),
  ],
)}

Resident memory after the load, in MB: one process ${digits(memoryMb.one)}, a second server ${digits(memoryMb.second)}, two workers and their parent ${digits(memoryMb.workers)}, HAProxy ${digits(memoryMb.balancer)}.
The seconds of the lake include the state folder that the ingest builds.`
}

function rates(cases: readonly RateCase[]): string {
  const full = cases.filter(({ heldTo }) => heldTo === null)
  const rows = full.map((one) => [
    `${one.id} ${one.name}`,
    ...doors.map((door) => perSecond(one.implementations[door])),
    ...doors.slice(1).map((door) => ratioText(one, door, 'one')),
  ])
  return `### Requests a second on two cores

One process, two workers, one server behind HAProxy, and two servers behind HAProxy, all on two cores with the load generator. The reply cache is off, and every response is verified.

${markdownTable(['case', ...doorHeads, 'workers / one', 'HAProxy, 1 / one', 'HAProxy, 2 / one'], rows)}`
}

const doors = ['one', 'workers', 'through', 'both'] as const
const doorHeads = ['one', 'workers', 'HAProxy, 1', 'HAProxy, 2']

function held({ cases }: ScalingResult): string {
  const own = cases.filter(({ heldTo }) => heldTo !== null)
  const part = (own[0]?.heldTo ?? 0) * 100
  const rows = own.map((one) => [
    `${one.id} ${one.name}`,
    perSecond(one.implementations.through),
    perSecond(one.implementations.both),
    ratioText(one, 'both', 'through'),
  ])
  return `### Requests a second where cores are free

The same requests behind HAProxy, with each server limited to ${digits(part)} % of a core. This is the gain of a second machine when the first is busy.

${markdownTable(['case', 'one server', 'two servers', 'two / one (least to most)'], rows)}`
}

function commitsTable({ commits }: ScalingResult): string {
  const { lagMs, apartMs, unpinned } = commits
  const [a = [], b = []] = lagMs
  const row = (name: string, values: readonly number[]) => [
    name,
    digits(Math.min(...values)),
    digits(median(values)),
    digits(Math.max(...values)),
  ]
  return `### Commits, seen through two servers

An ingest in a third process made ${a.length} commits:

${markdownTable(
  ['milliseconds', 'least', 'median', 'most'],
  [
    row('until the first server has it', a),
    row('until the second server has it', b),
    row('between the two', apartMs),
  ],
)}

A client without \`as_of\` sent ${whole(unpinned.answers)} requests. ${whole(unpinned.older)} responses had an older snapshot than an earlier response, for at most ${digits(unpinned.longestMs)} ms.`
}

const manners: Readonly<Record<Failure['kind'], string>> = {
  SIGTERM: 'is stopped (SIGTERM)',
  SIGKILL: 'is killed (SIGKILL)',
  SIGSTOP: 'hangs (SIGSTOP)',
}

function failuresTable({ failures, returns }: ScalingResult): string {
  const most = (of: (one: Return) => number) => digits(Math.max(...returns.map(of)))
  const rows = failures.map(({ kind, answers, failed, lastFailedMs, longestMs, leftAsideMs }) => [
    manners[kind],
    whole(answers),
    Object.entries(failed)
      .map(([fault, count]) => (fault === 'none' ? `${count} without a reply` : `${count} × ${fault}`))
      .join(', ') || '0',
    digitsOr(lastFailedMs),
    digits(longestMs),
    digits(leftAsideMs),
  ])
  return `### One of two servers fails

32 clients send requests through HAProxy. Every 200 response had the correct body.

${markdownTable(
  [
    'one server',
    'requests after it',
    'failed',
    'last failure after, ms',
    'longest response, ms',
    'last request sent to it after, ms',
  ],
  rows,
)}

A restarted server was ready after at most ${most(({ readyMs }) => readyMs)} ms and got its first request after ${most(({ firstChosenMs }) => firstChosenMs)} ms, without a failed request.
While its port answered \`/readyz\` with 503, ${whole(returns.reduce((sum, { chosenUnready }) => sum + chosenUnready, 0))} requests were sent to it.`
}

/** A table of words. */
function wordTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const perSecond = (one: Measured | undefined) =>
  digits(one === undefined ? Number.NaN : median(one.perSecond))

function ratiosOf({ implementations }: RateCase, of: Door, to: Door): readonly number[] {
  const [own, other] = [implementations[of], implementations[to]]
  return (own?.perSecond ?? []).map((rate, round) => rate / (other?.perSecond[round] ?? Number.NaN))
}

const ratioOf = (one: RateCase, of: Door, to: Door) => median(ratiosOf(one, of, to))

function ratioText(one: RateCase, of: Door, to: Door): string {
  const ratios = ratiosOf(one, of, to)
  return `${digits(median(ratios))} (${digits(Math.min(...ratios))} to ${digits(Math.max(...ratios))})`
}
