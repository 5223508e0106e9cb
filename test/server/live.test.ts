import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { RowWriter } from '../../src/engine/duckdb/duckdb-row-writer.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { ArtifactKind } from '../../src/ingest/artifact.ts'
import { deriveSeed, openRandom } from '../../src/sample/random.ts'
import { aroundRows } from '../support/around-rows.ts'
import { ingestInto } from '../support/build-lake.ts'
import { buildTestServer, type TestServer } from '../support/build-test-server.ts'
import { type Door, expectPage, expectTotals, type Get, restDoor } from '../support/live/doors.ts'
import { networkFiles, sharesAt, type Table, type Versions, versionsOf } from '../support/live/network.ts'
import { writeOracleFiles } from '../support/make-lake.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { startServing } from '../support/run-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const COMMITS = scaled(3, 50)
const REQUESTS = scaled(10, 20) * COMMITS
const CALLERS = 6
const SEEN_WITHIN_MS = 2_000
/** Commits that the answers may be ahead. */
const AHEAD = 6

const tables = ['iot', 'mobile'] as const
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
const asOne = (versions: Versions) => [versions.iot, versions.mobile, versions.manifests]

/** A lake of file 0 of each table, and a folder with the files to come. */
async function smallLake(commits: number): Promise<{ lake: string; input: string }> {
  const folder = await temporaryFolder()
  const [lake, begin, input] = ['lake', 'begin', 'input'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeOracleFiles(begin, networkFiles(0, 0))
  await writeOracleFiles(input, networkFiles(1, commits))
  await ingestInto(lake, [begin])
  return { lake, input }
}

/** Commits every file by itself. Each commit waits until it is let go. */
function writeSlowly(
  lake: string,
  input: string,
  kinds: readonly ArtifactKind[],
  letGo: () => Promise<void>,
): Promise<unknown> {
  const openWriter = async (spillFolder: string): Promise<RowWriter> => {
    const writer = await openTestWriter(spillFolder)
    return {
      ...writer,
      async inspect(resource, path) {
        await letGo()
        return await writer.inspect(resource, path)
      },
    }
  }
  return ingestInto(lake, [input], { kinds, commitRows: 1, openWriter })
}

/** What is committed, by a look into the folders. */
function committed(lake: string): Versions {
  const versionOf = (table: string) =>
    readdirSync(join(lake, table, '_delta_log')).filter((name) => /^\d{20}\.json$/.test(name)).length - 1
  return {
    iot: versionOf('iot_reward_shares'),
    mobile: versionOf('mobile_reward_shares'),
    manifests: versionOf('reward_manifests'),
  }
}

/** A caller's memory: no answer may be older than the one before, nor than what was committed two seconds ago. */
function watchAge(lake: string) {
  const looks: { at: number; versions: readonly number[] }[] = []
  let last: readonly number[] = [0, 0, 0]
  return async (ask: () => Promise<{ snapshot: string }>) => {
    looks.push({ at: performance.now(), versions: asOne(committed(lake)) })
    while ((looks[1]?.at ?? Number.POSITIVE_INFINITY) <= performance.now() - SEEN_WITHIN_MS) looks.shift()
    const [oldest] = looks
    const isDue = oldest !== undefined && oldest.at <= performance.now() - SEEN_WITHIN_MS
    const due = isDue ? oldest.versions : last
    const { snapshot } = await ask()
    const seen = asOne(versionsOf(snapshot))
    for (const least of [last, due]) {
      expect(
        seen.every((version, index) => version >= (least[index] ?? 0)),
        `${seen} after ${least}`,
      ).toBe(true)
    }
    last = seen
  }
}

/** Asks at random until the writers are through, and checks every answer. Gives the snapshots that were seen. */
async function askWhileWriting(lake: string, input: string, doors: readonly Door[]): Promise<Set<string>> {
  let [answers, commits, isWriting] = [0, 0, true]
  const seen = new Set<string>()
  // Neither side runs away from the other.
  const answersPerCommit = REQUESTS / (3 * COMMITS)
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
    const observe = watchAge(lake)
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
  expect(answers).toBeGreaterThanOrEqual(REQUESTS)
  return seen
}

async function checkedTotals(door: Door, table: Table) {
  const answer = await door.totals(table)
  expectTotals(table, answer)
  return answer
}

async function checkedPage(door: Door, table: Table, page: number, asOf?: string) {
  const answer = await door.page(table, page, asOf)
  expectPage(table, page, answer)
  return answer
}

/** The last commit shows soon after it happened. */
async function expectLastCommit(door: Door): Promise<void> {
  const all = Array(3).fill(COMMITS)
  await vi.waitFor(
    async () => expect(asOne(versionsOf((await door.totals('iot')).snapshot))).toEqual(all),
    SEEN_WITHIN_MS,
  )
  for (const table of tables) await checkedTotals(door, table)
}

const getFrom =
  (server: TestServer): Get =>
  async (path) => {
    const { status, text, headers } = await server.get(path)
    return { status, text, snapshot: String(headers['ledgerlake-snapshot']) }
  }

const getOver =
  (address: string): Get =>
  async (path) => {
    const reply = await fetch(`${address}/v1/net${path}`)
    return {
      status: reply.status,
      text: await reply.text(),
      snapshot: reply.headers.get('ledgerlake-snapshot') ?? '',
    }
  }

describe('while commits go into each table and requests are answered', () => {
  it('every answer belongs to one snapshot, pages of a pinned one partition its list, and nothing fails', async () => {
    const { lake, input } = await smallLake(COMMITS)
    const server = await buildTestServer(lake, 20)
    const doors = [restDoor(getFrom(server))]
    const seen = await askWhileWriting(lake, input, doors)
    // A server that did not follow would pass all else.
    expect(seen.size).toBeGreaterThan(COMMITS)
    for (const door of doors) await expectLastCommit(door)
  }, 180_000)

  it('the program shows a commit within two seconds, and every answer belongs to one snapshot', async () => {
    const { lake, input } = await smallLake(COMMITS)
    const { address } = await startServing(['--lake', lake, '--port', '0'], { cwd: join(lake, '..') })
    const doors = [restDoor(getOver(address))]
    const seen = await askWhileWriting(lake, input, doors)
    expect(seen.size).toBeGreaterThan(2)
    for (const door of doors) await expectLastCommit(door)
  }, 180_000)
})

it('a request that is under way keeps its snapshot when a commit lands', async () => {
  const { lake, input } = await smallLake(1)
  let waiting = 0
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const holdingShares = (engine: Engine) =>
    aroundRows(engine, async (plan, _, next) => {
      if (plan.resource.name === 'iot_reward_shares') {
        waiting += 1
        await gate
      }
      return await next()
    })
  const server = await buildTestServer(lake, 20, holdingShares)
  const door = restDoor(getFrom(server))
  const held = door.page('iot', 1)
  await vi.waitFor(() => expect(waiting).toBe(1))
  await ingestInto(lake, [input])
  await vi.waitFor(
    async () => expect((await checkedTotals(door, 'iot')).snapshot).toMatch(/^dma1idp1ooc1-/),
    10_000,
  )
  open()
  const answer = await held
  expect(answer.snapshot).toMatch(/^dma0idp0ooc0-/)
  expectPage('iot', 1, answer)
})
