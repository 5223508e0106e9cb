import { beforeAll, expect, it } from 'vitest'
import { askDoors } from './one-answer/ask-doors.ts'
import { doors } from './one-answer/doors.ts'
import { listedTables, type Question } from './one-answer/question.ts'
import { type DoorWorld, openDoorWorld } from './one-answer/world.ts'

/** `npm run test:long -- doors --count 2000 --seed N` sets both. */
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
  `every door returns the same rows and exact sums for ${count} random requests of seed ${seed}`,
  async () => {
    const wrong = await askDoors(doors, world, {
      seed,
      places: Array.from({ length: count }, (_, index) => index),
      takes: (door, question, index) => door.takes(question, index),
      onAsked(question, taken) {
        asked.push(question)
        for (const { name } of taken) timesAsked.set(name, (timesAsked.get(name) ?? 0) + 1)
      },
    })
    expect(wrong).toEqual([])
  },
  mostMs,
)

// Fewer questions do not have their turn at each filter.
it.skipIf(count < 104)(
  'the random requests cover every table and filter, days and ranges, and each snapshot, at every door',
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
