import type { Load } from '../support/load.ts'
import type { Turn } from '../support/load-process.ts'
import { median, type Spread, spreadOf, thinOut } from '../support/percentiles.ts'
import type { Side } from './cases.ts'

/** One side of a case at so many requests at a time; times are microseconds. */
export interface Measured extends Spread {
  /** Answers per second, round by round. */
  readonly perSecond: readonly number[]
  readonly micros: readonly number[]
}

export interface TimedCase<S extends string> {
  readonly id: string
  readonly name: string
  /** Different requests. */
  readonly distinct: number
  readonly connections: number
  readonly sides: Readonly<Partial<Record<S, Measured>>>
}

export type PeerCase = TimedCase<Side>

/** Somebody who can be asked for a while. */
export interface Contestant<S extends string = Side> {
  readonly side: S
  turn(ms: number): Promise<Turn>
}

export interface Rounds {
  readonly rounds: number
  readonly msPerTurn: number
  /** Before the first round: programs that run for days are not measured while they are being compiled. */
  readonly warmUpMs: number
}

const MOST_SAMPLES_KEPT = 100

/** Lets sides take turns, beginning with another one each round, so that a slow minute falls on all of them. */
export async function measure<S extends string>(
  { id, name, distinct, connections }: Omit<TimedCase<S>, 'sides'>,
  contestants: readonly Contestant<S>[],
  { rounds, msPerTurn, warmUpMs }: Rounds,
): Promise<TimedCase<S>> {
  const taken = new Map<S, Turn[]>(contestants.map(({ side }) => [side, []]))
  for (const { turn } of contestants) await turn(warmUpMs)
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < contestants.length; place += 1) {
      const { side, turn } = contestants[(round + place) % contestants.length] as Contestant<S>
      taken.get(side)?.push(await turn(msPerTurn))
    }
  }
  const sides = Object.fromEntries([...taken].map(([side, turns]) => [side, summarize(turns)]))
  return { id, name, distinct, connections, sides: sides as Record<S, Measured> }
}

export function overHttp<S extends string>(
  load: Load,
  side: S,
  name: string,
  connections: number,
): Contestant<S> {
  return { side, turn: (ms) => load.run(name, connections, ms) }
}

/** Asks a function of this process one after the other. */
export function inProcess(side: Side, ask: (index: number) => Promise<unknown>): Contestant {
  let index = 0
  return {
    side,
    async turn(ms) {
      const micros: number[] = []
      const began = performance.now()
      let now = began
      do {
        await ask(index)
        const answered = performance.now()
        micros.push((answered - now) * 1000)
        now = answered
        index += 1
      } while (now < began + ms)
      return { micros: Float64Array.from(micros), seconds: (now - began) / 1000 }
    },
  }
}

/** Turns of one round each. */
export function summarize(turns: readonly Turn[]): Measured {
  const micros = turns.flatMap((turn) => [...turn.micros])
  return {
    ...spreadOf(micros),
    perSecond: turns.map(perSecondOf),
    micros: thinOut(micros, MOST_SAMPLES_KEPT).map(Math.round),
  }
}

function perSecondOf({ micros, seconds }: Turn): number {
  return micros.length / seconds
}

/** Middle of the ratios of two sides in each round; null where one of them is missing. */
export function rateRatio({ sides }: PeerCase, of: Side, to: Side): number | null {
  const [first, second] = [sides[of], sides[to]]
  if (first === undefined || second === undefined) return null
  return median(first.perSecond.map((rate, round) => rate / (second.perSecond[round] ?? Number.NaN)))
}

/** Middle time of one side divided by that of another. */
export function timeRatio({ sides }: PeerCase, of: Side, to: Side): number | null {
  const [first, second] = [sides[of], sides[to]]
  return first === undefined || second === undefined ? null : first.p50 / second.p50
}
