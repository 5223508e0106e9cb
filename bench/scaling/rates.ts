import { checkEqual } from '../base/turns.ts'
import type { Case } from '../peers/cases.ts'
import { measure, overHttp, type Rounds, type TimedCase } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import type { Load } from '../support/load.ts'
import type { Asked } from '../support/load-process.ts'
import type { Serving } from '../support/program.ts'
import type { Balancer } from './balancer.ts'
import { holdTo } from './held.ts'

/** Who is asked: one process, two workers, one process behind the balancer, two behind it. */
export interface Doors {
  readonly one: Serving
  readonly workers: Serving
  readonly through: Balancer
  readonly both: Balancer
}

export type Door = keyof Doors

/** A case at full speed, and one in which each server has a part of a core; the latter has doors of the balancer alone. */
export interface RateCase extends TimedCase<Door> {
  readonly heldTo: number | null
}

const doorNames = ['one', 'workers', 'through', 'both'] as const
const CONNECTIONS = 32
const MOST_PATHS = 2000

/** Asks every door everything. Throws at the first answer that is not that of the one process. */
export async function answersOf(doors: Doors, { questions }: Case): Promise<readonly Asked[]> {
  const clients = doorNames.map((name) => openClient(doors[name].address))
  const asked: Asked[] = []
  for (const { address: path } of questions.slice(0, MOST_PATHS)) {
    const [body = Buffer.alloc(0), ...others] = await Promise.all(clients.map((client) => client.get(path)))
    for (const other of others) checkEqual(path, body, other)
    asked.push({ path, status: 200, body: body.toString() })
  }
  for (const client of clients) client.close()
  return asked
}

/** Requests a second of each door, in turns; every timed answer is compared again. */
export async function measureRates(
  { id, name }: Case,
  asked: readonly Asked[],
  doors: Doors,
  load: Load,
  rounds: Rounds,
): Promise<RateCase> {
  for (const door of doorNames) await load.prepare(`${name} ${door}`, doors[door].address, asked)
  const implementations = doorNames.map((door) => overHttp(load, door, `${name} ${door}`, CONNECTIONS))
  const one = { id, name, distinct: asked.length, connections: CONNECTIONS }
  return { ...(await measure(one, implementations, rounds)), heldTo: null }
}

/** The same of one and of two servers behind the balancer, where each may use a part of a core alone. */
export async function measureHeld(
  { id, name }: Case,
  held: readonly Serving[],
  part: number,
  load: Load,
  rounds: Rounds,
): Promise<RateCase> {
  const implementations = (['through', 'both'] as const).map((door) =>
    overHttp(load, door, `${name} ${door}`, CONNECTIONS),
  )
  const one = { id, name, distinct: 0, connections: CONNECTIONS }
  const letGo = held.map(({ pid }) => holdTo(pid, part))
  try {
    return { ...(await measure(one, implementations, rounds)), heldTo: part }
  } finally {
    for (const release of letGo) release()
  }
}
