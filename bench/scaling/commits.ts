import { deepStrictEqual } from 'node:assert/strict'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeInstant } from '../../src/base/values/instant.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { SampleEpoch } from '../../src/write/sample/epochs.ts'
import { iotRewards } from '../../src/write/sample/iot-epoch.ts'
import { versionsOf } from '../../test/support/live/network.ts'
import { program, runToEnd, type Serving } from '../support/program.ts'
import type { Balancer } from './balancer.ts'

/** A day before the network begins, and the folder of its files. */
export interface EarlierDay {
  readonly epoch: SampleEpoch
  readonly folder: string
}

/** What callers see of commits by a process that is none of the servers. Times are milliseconds. */
export interface SeenCommits {
  /** From each commit to the first look in which a server had it, by server. */
  readonly lagMs: readonly (readonly number[])[]
  /** From the first server that had a commit to the last one. */
  readonly apartMs: readonly number[]
  /** Answers through the balancer without `as_of`, and how many of them were older than the one before. */
  readonly unpinned: { readonly answers: number; readonly older: number; readonly longestMs: number }
  /** Walks through all pages with `as_of`, each equal to what was generated. */
  readonly walks: readonly { readonly pages: number; readonly commits: number }[]
}

const LOOK_MS = 4
const PER_PAGE = 100
const LIST = '/v1/net/l2/iot-reward-shares'

/** Ingests days before the first one, a commit each, while both servers are looked at and pages are walked through the balancer. */
export async function watchCommits(
  lake: string,
  earlier: readonly EarlierDay[],
  first: SampleEpoch,
  servers: readonly Serving[],
  balancer: Balancer,
): Promise<SeenCommits> {
  const committedAt = new Map<number, number>()
  const watcher = watch(join(lake, iotRewardShares.name, '_delta_log'), (_event, name) => {
    const version = /^(\d{20})\.json$/.exec(name ?? '')?.[1]
    if (version !== undefined && !committedAt.has(Number(version)))
      committedAt.set(Number(version), performance.now())
  })
  let isOver = false
  const going = () => !isOver
  const looks = servers.map((server) => lookAt(server, going))
  const unpinned = askOn(balancer, going)
  const walks = walkOn(balancer, first, earlier, going)
  for (const { folder } of earlier) await runToEnd([program, 'ingest', folder, '--lake', lake])
  // So that the last commit is seen.
  await setTimeout(2000)
  isOver = true
  watcher.close()
  const seen = await Promise.all(looks)
  const versions = [...committedAt.keys()]
  const seenAt = (version: number) => seen.map((own) => firstWith(own, version))
  return {
    lagMs: seen.map((own) =>
      versions.map((version) => firstWith(own, version) - (committedAt.get(version) ?? 0)),
    ),
    apartMs: versions.map((version) => Math.max(...seenAt(version)) - Math.min(...seenAt(version))),
    unpinned: await unpinned,
    walks: await walks,
  }
}

interface Look {
  readonly at: number
  readonly version: number
}

/** When a version was first there; later ones include it. */
function firstWith(looks: readonly Look[], version: number): number {
  const found = looks.find((look) => look.version >= version)
  if (found === undefined) throw new Error(`a server has not seen version ${version}`)
  return found.at
}

const versionIn = (snapshot: string | null) => versionsOf(snapshot ?? '').iot

async function lookAt({ address }: Serving, going: () => boolean): Promise<readonly Look[]> {
  const looks: Look[] = []
  while (going()) {
    const { snapshot } = (await (await fetch(`${address}/readyz`)).json()) as { snapshot: string }
    looks.push({ at: performance.now(), version: versionIn(snapshot) })
    await setTimeout(LOOK_MS)
  }
  return looks
}

/** One caller without `as_of`, whose requests go to the servers in turns. */
async function askOn({ address }: Balancer, going: () => boolean): Promise<SeenCommits['unpinned']> {
  let [answers, older, longestMs, newest, newestAt] = [0, 0, 0, -1, 0]
  while (going()) {
    const reply = await fetch(`${address}${LIST}/totals?from=2025-01-01&to=2025-01-31`)
    await reply.arrayBuffer()
    const version = versionIn(reply.headers.get('ledgerlake-snapshot'))
    const now = performance.now()
    answers += 1
    if (version > newest) [newest, newestAt] = [version, now]
    else if (version < newest) {
      older += 1
      longestMs = Math.max(longestMs, now - newestAt)
    }
  }
  return { answers, older, longestMs }
}

/**
 * Walks the gateway rewards up to the first day over and over, which every commit moves to other pages. Each walk must have what the
 * generator made of the days that its snapshot has; no file and no lake has a part in that.
 */
async function walkOn(
  { address }: Balancer,
  first: SampleEpoch,
  earlier: readonly EarlierDay[],
  going: () => boolean,
): Promise<SeenCommits['walks']> {
  const made = [first, ...earlier.map(({ epoch }) => epoch)].map(gatewayRewardsOf)
  const query = `from=2025-01-01&to=${writeInstant(first.end)}&reward_type=gateway_reward&per_page=${PER_PAGE}`
  const newest = async () => {
    const reply = await fetch(`${address}${LIST}/totals?${query.replace(/&per_page.*/, '')}`)
    await reply.arrayBuffer()
    return versionIn(reply.headers.get('ledgerlake-snapshot'))
  }
  const began = await newest()
  const walks: { pages: number; commits: number }[] = []
  while (going()) {
    const { snapshot, pages, ...found } = await walkPages(`${address}${LIST}?${query}`)
    const days = made.slice(0, 1 + versionIn(snapshot) - began)
    deepStrictEqual(found, {
      records: days.reduce((sum, { records }) => sum + records, 0),
      witnessed: days.reduce((sum, { witnessed }) => sum + witnessed, 0n),
    })
    walks.push({ pages, commits: (await newest()) - versionIn(snapshot) })
  }
  return walks
}

function gatewayRewardsOf(epoch: SampleEpoch) {
  const rewards = [...iotRewards(epoch).shares()].filter(
    ({ reward_type }) => reward_type === 'gateway_reward',
  )
  const witnessed = rewards.reduce((sum, { witness_amount }) => sum + (witness_amount ?? 0n), 0n)
  return { records: rewards.length, witnessed }
}

/** All pages, of the snapshot of the first one. */
async function walkPages(url: string) {
  let [snapshot, pages, records, witnessed] = ['', 1, 0, 0n]
  for (let page = 1; page <= pages; page += 1) {
    const pin = snapshot === '' ? '' : `&as_of=${snapshot}`
    const reply = await fetch(`${url}&page=${page}${pin}`)
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`page ${page}: ${reply.status} ${text}`)
    snapshot ||= reply.headers.get('ledgerlake-snapshot') ?? ''
    pages = Number(/"total_pages":(\d+)/.exec(text)?.[1])
    for (const [, digits = ''] of text.matchAll(/"witness_amount":(\d+)/g)) {
      records += 1
      witnessed += BigInt(digits)
    }
  }
  return { snapshot, pages, records, witnessed }
}
