/** One way to answer the questions of a case; `index` counts up without end. */
export interface Contestant<N extends string = string> {
  readonly name: N
  readonly ask: (index: number) => Promise<unknown>
}

export interface Rounds {
  readonly rounds: number
  /** A turn ends after so long, or after so many questions, but not before `LEAST_PER_TURN` of them. */
  readonly msPerTurn: number
  readonly mostPerTurn: number
}

const LEAST_PER_TURN = 2
const WARM_UP_MS = 150

/**
 * Lets the contestants take turns, beginning with another one each round, so that a slow minute of the machine
 * falls on all of them. Gives the microseconds of every answer: by contestant, then by round.
 */
export async function alternate<N extends string>(
  contestants: readonly Contestant<N>[],
  { rounds, msPerTurn, mostPerTurn }: Rounds,
): Promise<ReadonlyMap<N, readonly (readonly number[])[]>> {
  const asked = new Map(contestants.map(({ name }) => [name, 0]))
  const taken = new Map<N, (readonly number[])[]>(contestants.map(({ name }) => [name, []]))

  async function turn({ name, ask }: Contestant<N>, ms: number): Promise<readonly number[]> {
    const micros: number[] = []
    const end = performance.now() + ms
    let index = asked.get(name) ?? 0
    for (let now = performance.now(); micros.length < mostPerTurn; ) {
      if (now >= end && micros.length >= LEAST_PER_TURN) break
      await ask(index)
      const answered = performance.now()
      micros.push((answered - now) * 1000)
      now = answered
      index += 1
    }
    asked.set(name, index)
    return micros
  }

  for (const contestant of contestants) await turn(contestant, WARM_UP_MS)
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < contestants.length; place += 1) {
      const contestant = contestants[(round + place) % contestants.length] as Contestant<N>
      taken.get(contestant.name)?.push(await turn(contestant, msPerTurn))
    }
  }
  return taken
}
