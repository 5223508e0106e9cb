import { beforeAll, expect, it } from 'vitest'
import { deriveSeed, openRandom } from '../../src/sample/random.ts'
import { differenceOf, doors } from '../support/doors/doors.ts'
import { drawQuestion, listedTables, type Question, show } from '../support/doors/question.ts'
import { type DoorWorld, openDoorWorld } from '../support/doors/world.ts'

/** `npm run test:doors -- --count 2000 --seed N` sets both. */
const count = Number(process.env.DOORS_COUNT ?? 110)
const seed = process.env.DOORS_SEED ?? '1'
/** A question takes half a second on a quiet machine. */
const mostMs = 120_000 + count * 6_000

let world: DoorWorld
const asked: Question[] = []
const timesAsked = new Map<string, number>()

beforeAll(async () => {
  world = await openDoorWorld()
})

it(
  `every door has the rows and the exact sums of a question drawn at random, ${count} times from seed ${seed}`,
  async () => {
    const wrong: string[] = []
    for (let index = 0; index < count; index += 1) {
      const random = openRandom(deriveSeed('doors', seed), index)
      const question = drawQuestion(world.rowsIn, world.snapshots.length, index, random)
      asked.push(question)
      for (const door of doors.filter((one) => one.takes(question, index))) {
        timesAsked.set(door.name, (timesAsked.get(door.name) ?? 0) + 1)
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
    expect(wrong).toEqual([])
  },
  mostMs,
)

// Fewer questions do not have their turn at each filter.
it.skipIf(count < 104)(
  'the questions are of every table with each of its filters, of days and of ranges, and of each snapshot, at every door',
  () => {
    const drawn = new Set(
      asked.flatMap(({ resource: { name }, filters, asOf }) => [
        ...Object.keys(filters).map((filter) => `${name} ${filter}`),
        ...[name, `snapshot ${asOf ?? 'newest'}`],
      ]),
    )
    const promised = [
      ...listedTables.flatMap(({ name, filters = {} }) => [
        name,
        ...Object.keys(filters).map((filter) => `${name} ${filter}`),
      ]),
      ...['iot_reward_shares', 'mobile_reward_shares', 'l1_rewards'].map((name) => `${name} first_day`),
      ...['snapshot 0', 'snapshot 1', 'snapshot newest'],
    ]
    expect(promised.filter((one) => !drawn.has(one))).toEqual([])
    expect(doors.map(({ name }) => name).filter((name) => !timesAsked.has(name))).toEqual([])
  },
)
