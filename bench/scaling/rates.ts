import { processesOf } from '../overload/watch.ts'
import type { Case } from '../peers/cases.ts'
import { type Implementation, measure, overHttp, type Rounds, type TimedCase } from '../peers/measure.ts'
import { openClient } from '../support/client.ts'
import { cpuSeconds } from '../support/cpu-seconds.ts'
import { checkEqual } from '../support/equal-bodies.ts'
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
  /** Time on a core for one answer, engine threads included, of the servers and of the balancer; not while they are held. */
  readonly coreMicros: Readonly<Partial<Record<Door, CoreTime>>>
}

interface CoreTime {
  readonly servers: number
  readonly balancer: number
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
    for (const other of others) checkEqual(path, { 'one server': body, another: other })
    asked.push({ path, status: 200, body: body.toString() })
  }
  for (const client of clients) client.close()
  return asked
}

/** Requests a second of each door, in turns; every timed answer is compared again. `second` is the other server of both. */
export async function measureRates(
  { id, name }: Case,
  asked: readonly Asked[],
  doors: Doors,
  second: Serving,
  load: Load,
  rounds: Rounds,
): Promise<RateCase> {
  const behind: Record<Door, { servers: readonly number[]; balancer: readonly number[] }> = {
    one: { servers: processesOf(doors.one), balancer: [] },
    workers: { servers: processesOf(doors.workers), balancer: [] },
    through: { servers: processesOf(doors.one), balancer: [doors.through.pid] },
    both: { servers: [...processesOf(doors.one), ...processesOf(second)], balancer: [doors.both.pid] },
  }
  for (const door of doorNames) await load.prepare(`${name} ${door}`, doors[door].address, asked)
  const counted = doorNames.map((door) =>
    counting(overHttp(load, door, `${name} ${door}`, CONNECTIONS), behind[door]),
  )
  const one = { id, name, distinct: asked.length, connections: CONNECTIONS }
  const measured = await measure(
    one,
    counted.map(({ implementation }) => implementation),
    rounds,
  )
  const coreMicros = Object.fromEntries(counted.map(({ door, coreTime }) => [door, coreTime()]))
  return { ...measured, heldTo: null, coreMicros }
}

/** Counts what processes spend during the turns of a door. */
function counting(
  { label, turn }: Implementation<Door>,
  { servers, balancer }: { readonly servers: readonly number[]; readonly balancer: readonly number[] },
) {
  const spent = { servers: 0, balancer: 0, answers: 0 }
  const implementation: Implementation<Door> = {
    label,
    async turn(ms) {
      const before = [secondsOf(servers), secondsOf(balancer)] as const
      const taken = await turn(ms)
      spent.servers += secondsOf(servers) - before[0]
      spent.balancer += secondsOf(balancer) - before[1]
      spent.answers += taken.micros.length
      return taken
    },
  }
  const each = (seconds: number) => (seconds / spent.answers) * 1e6
  const coreTime = (): CoreTime => ({ servers: each(spent.servers), balancer: each(spent.balancer) })
  return { door: label, implementation, coreTime }
}

const secondsOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)

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
    return { ...(await measure(one, implementations, rounds)), heldTo: part, coreMicros: {} }
  } finally {
    for (const release of letGo) release()
  }
}
