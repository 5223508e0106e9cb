import { expect } from 'vitest'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { waitFor } from '../wait.ts'
import { type Door, expectPage, expectTotals } from './doors.ts'
import { type GrowingLake, writeSlowly } from './growing-lake.ts'
import { sharesAt, type Table, type Versions, versionsOf } from './network.ts'

/** Asks a growing lake by several callers, and compares every answer with what the lake was at its snapshot. */

const CALLERS = 6
/** Commits that the answers may be ahead. */
const AHEAD = 6

const tables = ['iot', 'mobile'] as const
const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
const asOne = (versions: Versions) => [versions.iot, versions.mobile, versions.manifests]

/** A caller's memory: no answer may be older than the one before. */
function watchAge() {
  let last: readonly number[] = [0, 0, 0]
  return async (ask: () => Promise<{ snapshot: string }>) => {
    const { snapshot } = await ask()
    const seen = asOne(versionsOf(snapshot))
    expect(
      seen.every((version, index) => version >= (last[index] ?? 0)),
      `${seen} after ${last}`,
    ).toBe(true)
    last = seen
  }
}

/** Asks at random until the writers are through, at least so many times, and checks every answer. Gives the snapshots that were seen. */
export async function askWhileWriting(
  { lake, input, commits: ofTable }: GrowingLake,
  doors: readonly Door[],
  requests: number,
): Promise<Set<string>> {
  let [answers, commits, isWriting] = [0, 0, true]
  const seen = new Set<string>()
  // Neither side runs away from the other.
  const answersPerCommit = requests / (3 * ofTable)
  const letGo = async () => {
    commits += 1
    while (answers < commits * answersPerCommit) await pause()
  }
  const takeTurn = async () => {
    while (isWriting && answers > (commits + AHEAD) * answersPerCommit) await pause()
    answers += 1
  }
  // Two at once, so that shares come before their manifests and manifests before their shares.
  const writing = Promise.all([
    writeSlowly(lake, input, ['iot_reward_share', 'mobile_reward_share'], letGo),
    writeSlowly(lake, input, ['reward_manifest'], letGo),
  ]).finally(() => {
    isWriting = false
  })
  async function call(caller: number): Promise<void> {
    const random = openRandom(deriveSeed('live', caller))
    const observe = watchAge()
    while (isWriting) {
      const door = doors[random.below(doors.length)] as Door
      const table = tables[random.below(2)] as Table
      await observe(async () => {
        const { snapshot } = random.chance(0.4)
          ? await checkedTotals(door, table)
          : await checkedPage(door, table, 1 + random.below(14))
        seen.add(snapshot)
        return { snapshot }
      })
      await takeTurn()
    }
  }
  /** Pages of one snapshot, from the first to the last, while others are committed. */
  async function walk(door: Door): Promise<void> {
    for (let turn = 0; isWriting; turn += 1) {
      const table = tables[turn % 2] as Table
      const { snapshot, pages, shares } = await checkedPage(door, table, 1)
      const walked = [...shares]
      for (let page = 2; page <= pages; page += 1) {
        walked.push(...(await checkedPage(door, table, page, snapshot)).shares)
        await takeTurn()
      }
      expect(walked).toEqual(sharesAt(table, versionsOf(snapshot)))
    }
  }
  const callers = Array.from({ length: CALLERS }, (_, caller) => call(caller))
  await Promise.all([writing, ...callers, ...doors.map(walk)])
  expect(answers).toBeGreaterThanOrEqual(requests)
  return seen
}

export async function checkedTotals(door: Door, table: Table) {
  const answer = await door.totals(table)
  expectTotals(table, answer)
  return answer
}

async function checkedPage(door: Door, table: Table, page: number, asOf?: string) {
  const answer = await door.page(table, page, asOf)
  expectPage(table, page, answer)
  return answer
}

/** The last of so many commits to each table shows. */
export async function expectLastCommit(door: Door, commits: number): Promise<void> {
  const all = Array(3).fill(commits)
  await waitFor(async () => expect(asOne(versionsOf((await door.totals('iot')).snapshot))).toEqual(all))
  for (const table of tables) await checkedTotals(door, table)
}
