/** One way to answer the questions of a case; `index` counts up without end. */
export interface Implementation<N extends string = string> {
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
 * Lets the implementations take turns, beginning with another one each round, so that a slow minute of the machine
 * falls on all of them. Gives the microseconds of every answer: by implementation, then by round.
 */
export async function alternate<N extends string>(
  implementations: readonly Implementation<N>[],
  { rounds, msPerTurn, mostPerTurn }: Rounds,
): Promise<ReadonlyMap<N, readonly (readonly number[])[]>> {
  const asked = new Map(implementations.map(({ name }) => [name, 0]))
  const taken = new Map<N, (readonly number[])[]>(implementations.map(({ name }) => [name, []]))

  async function turn({ name, ask }: Implementation<N>, ms: number): Promise<readonly number[]> {
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

  for (const implementation of implementations) await turn(implementation, WARM_UP_MS)
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < implementations.length; place += 1) {
      const implementation = implementations[(round + place) % implementations.length] as Implementation<N>
      taken.get(implementation.name)?.push(await turn(implementation, msPerTurn))
    }
  }
  return taken
}
