import { type Implementation, measure, overHttp, type Rounds, type TimedCase } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { checkEqual } from '../support/equal-bodies.ts'
import type { Load } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import type { Serving } from '../support/program.ts'
import type { Build } from './ratios.ts'
import type { Requests } from './requests.ts'

export type Servers = Readonly<Record<Build, Serving>>

/** Requests with the answers that both builds gave. */
export interface Answered extends Requests {
  readonly asked: readonly Asked[]
}

/** Asks both builds everything, as bytes, headers apart. Throws at the first path that they answer differently. */
export async function compareAnswers(requests: Requests, { base, head }: Servers): Promise<Answered> {
  const [ofBase, ofHead] = [openClient(base.address), openClient(head.address)]
  const asked: Asked[] = []
  for (const path of requests.paths) {
    const [body, own] = await Promise.all([ofBase.get(path), ofHead.get(path)])
    checkEqual(path, { 'the base': body, 'the working tree': own })
    asked.push({ path, status: 200, body: body.toString() })
  }
  ofBase.close()
  ofHead.close()
  return { ...requests, asked }
}

/** Every timed answer is compared with that of the base again. */
export async function measureRequests(
  { id, name, asked, connections }: Answered,
  load: Load,
  servers: Servers,
  rounds: Rounds,
): Promise<readonly TimedCase<Build>[]> {
  for (const build of builds) await load.prepare(`${name} ${build}`, servers[build].address, asked)
  const timed: TimedCase<Build>[] = []
  for (const count of new Set(connections)) {
    const implementations = builds.map((build) => overHttp(load, build, `${name} ${build}`, count))
    timed.push(
      await measure({ id, name, distinct: asked.length, connections: count }, implementations, rounds),
    )
  }
  return timed
}

/** H1: 304 for whoever shows the ETag, which each build may write in its own way. */
export async function measureUnchanged(
  { asked }: Answered,
  load: Load,
  servers: Servers,
  rounds: Rounds,
): Promise<TimedCase<Build>> {
  const implementations: Implementation<Build>[] = []
  const [id, name, connections] = ['H1', '304 on an unchanged ETag', 64]
  for (const build of builds) {
    const { address } = servers[build]
    const unchanged: Asked[] = []
    for (const { path } of asked) {
      const tag = (await fetch(address + path)).headers.get('etag')
      unchanged.push({ path, header: `If-None-Match: ${tag}`, status: 304, body: '' })
    }
    await load.prepare(`${name} ${build}`, address, unchanged)
    implementations.push(overHttp(load, build, `${name} ${build}`, connections))
  }
  return await measure({ id, name, distinct: asked.length, connections }, implementations, rounds)
}

const builds = ['base', 'again', 'head'] as const
