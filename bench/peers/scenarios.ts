import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { dayOfEpoch } from '../../src/write/sample/epochs.ts'
import { writeSampleNetwork } from '../../src/write/sample/write-sample-network.ts'
import { openClient } from '../support/client.ts'
import type { Asked } from '../support/load-process.ts'
import { epochsOfWorkload, type Workload } from '../support/network.ts'
import { median, percentile } from '../support/percentiles.ts'
import { program, runToEnd, startServing } from '../support/program.ts'
import type { Setup } from './setup.ts'

/** Scenarios that happen once: a start, a first question of cold files, an ingest into a lake that is being asked. */

export interface ColdStarts {
  /** From the start of the process to the first right answer, of each kind of request. Milliseconds. */
  readonly totalsMs: readonly number[]
  readonly hotspotMs: readonly number[]
  /** The same once the system has been told to forget the files of the lake; empty where it cannot be told. */
  readonly totalsUncachedMs: readonly number[]
}

const STARTS = 5
const COLD_HOTSPOTS = 10
const DAY_HOTSPOTS = 326_000
const IDLE_MS = 6000

/** C1: every start is a process of its own over the same lake. */
export async function measureStarts(lake: string, totals: Asked, hotspot: Asked): Promise<ColdStarts> {
  const times = async (asked: Asked, before: () => void) => {
    const taken: number[] = []
    for (let start = 0; start < STARTS; start += 1) {
      before()
      taken.push(
        await startAndAsk([program, 'serve', '--lake', lake, '--port', '0', '--workers', '1'], asked),
      )
    }
    return taken
  }
  return {
    totalsMs: await times(totals, () => {}),
    hotspotMs: await times(hotspot, () => {}),
    totalsUncachedMs: forget(lake) ? await times(totals, () => forget(lake)) : [],
  }
}

/** Milliseconds from the start of `ledgerlake serve` to the first right answer. */
export async function startAndAsk(serve: readonly string[], { path, body }: Asked): Promise<number> {
  const began = performance.now()
  const server = await startServing(serve)
  const client = openClient(server.address)
  const answer = (await client.get(path)).toString()
  const ms = performance.now() - began
  client.close()
  await server.stop()
  if (answer !== body) throw new Error(`${path}: ${answer} instead of ${body}`)
  return ms
}

/** T3 of hotspots that nobody asked before, each after the system forgot the files of the lake. Milliseconds. */
export async function measureColdHotspots(
  { served, lake }: Setup,
  asked: readonly Asked[],
): Promise<readonly number[]> {
  const client = openClient(served.address)
  const taken: number[] = []
  for (const { path, body } of asked.slice(-COLD_HOTSPOTS)) {
    if (!forget(lake)) break
    const began = performance.now()
    const answer = (await client.get(path)).toString()
    taken.push(performance.now() - began)
    if (answer !== body) throw new Error(`${path}: ${answer} instead of ${body}`)
  }
  client.close()
  return taken
}

/** Has the system drop its copies of the rewards of a lake and of its index by hotspot; false where `dd` cannot. */
function forget(lake: string): boolean {
  const files = [iotRewardShares.name, mobileRewardShares.name, '_state/by-key', '_state/index']
    .map((name) => join(lake, name))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => /\.(parquet|segment)$/.test(path))
  try {
    for (const path of files) {
      execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' })
    }
    return true
  } catch {
    return false
  }
}

export interface WhileIngesting {
  readonly connections: number
  readonly shares: number
  /** Of the whole ingest, the part of the index by hotspot included. */
  readonly seconds: number
  readonly answers: number
  /** Microseconds. */
  readonly idle: { readonly p50: number; readonly p99: number }
  readonly during: { readonly p50: number; readonly p99: number; readonly max: number }
}

/**
 * I1: asks `name`, which the load generator knows, before and while a new day is ingested. A wrong answer or a status
 * other than 200 ends the bench.
 */
export async function measureWhileIngesting(
  { load, lake }: Setup,
  parent: string,
  workload: Workload,
  name: string,
  isSmall: boolean,
): Promise<readonly WhileIngesting[]> {
  const days = epochsOfWorkload({ ...workload, days: workload.days + 2 }).slice(-2)
  const results: WhileIngesting[] = []
  for (const [index, connections] of [1, 16].entries()) {
    const out = join(parent, `day-${index}`)
    const start = dayOfEpoch(days[index] as (typeof days)[number])
    const hotspots = isSmall ? workload.hotspots : DAY_HOTSPOTS
    const { rows } = await writeSampleNetwork({
      out,
      days: 1,
      hotspots,
      seed: workload.seed,
      start,
    })
    const idle = await load.run(name, connections, isSmall ? 500 : IDLE_MS)
    let isOver = false
    const ingested = runToEnd([program, 'ingest', out, '--lake', lake]).finally(() => {
      isOver = true
    })
    const micros: number[] = []
    while (!isOver) micros.push(...(await load.run(name, connections, 250)).micros)
    const { seconds } = await ingested
    results.push({
      ...{ connections, shares: rows, seconds, answers: micros.length },
      idle: { p50: median([...idle.micros]), p99: percentile([...idle.micros], 0.99) },
      during: { p50: median(micros), p99: percentile(micros, 0.99), max: percentile(micros, 1) },
    })
  }
  return results
}
