import type { Load } from '../support/load.ts'
import type { Turn } from '../support/load-process.ts'
import { median, type Spread, spreadOf, thinOut } from '../support/percentiles.ts'
import type { Label } from './cases.ts'

/** One implementation in a case at so many requests at a time; times are microseconds. */
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
  readonly implementations: Readonly<Partial<Record<S, Measured>>>
}

export type PeerCase = TimedCase<Label>

/** Something that can be asked for a while. */
export interface Implementation<S extends string = Label> {
  readonly label: S
  turn(ms: number): Promise<Turn>
  /** Where a turn would not reach every process of it. */
  warmUp?(ms: number): Promise<Turn>
}

export interface Rounds {
  readonly rounds: number
  readonly msPerTurn: number
  /** Before the first round: programs that run for days are not measured while they are being compiled. */
  readonly warmUpMs: number
}

const MOST_SAMPLES_KEPT = 100
/** A single caller would warm up one of several workers, and be timed with another. */
const CALLERS_TO_WARM_UP = 16

/** Lets implementations take turns, beginning with another one each round, so that a slow minute falls on all of them. */
export async function measure<S extends string>(
  { id, name, distinct, connections }: Omit<TimedCase<S>, 'implementations'>,
  implementations: readonly Implementation<S>[],
  { rounds, msPerTurn, warmUpMs }: Rounds,
): Promise<TimedCase<S>> {
  const taken = new Map<S, Turn[]>(implementations.map(({ label }) => [label, []]))
  for (const { turn, warmUp = turn } of implementations) await warmUp(warmUpMs)
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < implementations.length; place += 1) {
      const { label, turn } = implementations[(round + place) % implementations.length] as Implementation<S>
      taken.get(label)?.push(await turn(msPerTurn))
    }
  }
  const measured = Object.fromEntries([...taken].map(([label, turns]) => [label, summarize(turns)]))
  return { id, name, distinct, connections, implementations: measured as Record<S, Measured> }
}

export function overHttp<S extends string>(
  load: Load,
  label: S,
  name: string,
  connections: number,
): Implementation<S> {
  return {
    label,
    turn: (ms) => load.run(name, connections, ms),
    // What other numbers of callers have asked for before is warm.
    warmUp: (ms) =>
      load.run(name, Math.max(connections, CALLERS_TO_WARM_UP), load.hasRun(name) ? ms / 4 : ms),
  }
}

/** Asks a function of this process one after the other. */
export function inProcess<S extends string>(
  label: S,
  ask: (index: number) => Promise<unknown>,
): Implementation<S> {
  let index = 0
  return {
    label,
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

/** Middle of the ratios of two implementations in each round; null where one of them is missing. */
export function rateRatio<S extends string>({ implementations }: TimedCase<S>, of: S, to: S): number | null {
  const [first, second] = [implementations[of], implementations[to]]
  if (first === undefined || second === undefined) return null
  return median(first.perSecond.map((rate, round) => rate / (second.perSecond[round] ?? Number.NaN)))
}

/** Middle time of one implementation divided by that of another. */
export function timeRatio<S extends string>({ implementations }: TimedCase<S>, of: S, to: S): number | null {
  const [first, second] = [implementations[of], implementations[to]]
  return first === undefined || second === undefined ? null : first.p50 / second.p50
}
