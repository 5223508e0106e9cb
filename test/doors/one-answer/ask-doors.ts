import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { type Door, differenceOf } from './doors.ts'
import { drawQuestion, type Question, type RowsIn, show } from './question.ts'
import type { DoorWorld } from './world.ts'

/** Questions drawn at random, and how they are asked. */
export interface Asking {
  readonly seed: string
  /** Places of the questions among those of the seed. */
  readonly places: readonly number[]
  /** The rows that questions are drawn from; those that the doors have unless given. */
  readonly drawnFrom?: RowsIn
  /** Whether a question is asked at a door. */
  readonly takes: (door: Door, question: Question, index: number) => boolean
  readonly onAsked?: (question: Question, doors: readonly Door[]) => void
}

/** Asks questions at every door that takes them, one after the other. Returns the differences, each of which it has printed. */
export async function askDoors(
  doors: readonly Door[],
  world: DoorWorld,
  asking: Asking,
): Promise<readonly string[]> {
  const { seed, places, drawnFrom = world.rowsIn, takes, onAsked } = asking
  const wrong: string[] = []
  for (const index of places) {
    const random = openRandom(deriveSeed('doors', seed), index)
    const question = drawQuestion(drawnFrom, world.snapshots.length, index, random)
    const taken = doors.filter((one) => takes(one, question, index))
    onAsked?.(question, taken)
    for (const door of taken) {
      const difference = await door.ask(world, question).then(
        (answer) => differenceOf(answer, door.expected(world, question)),
        (error: Error) => error.message,
      )
      if (difference === undefined) continue
      wrong.push(`seed ${seed}, ${index}: ${door.name} of ${show(question)}: ${difference}`)
      // A run that is stopped has shown what it found.
      console.error(wrong.at(-1))
    }
  }
  return wrong
}
