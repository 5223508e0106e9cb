import { cp, rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { vacuum } from '../../../src/lake/vacuum/vacuum.ts'
import { followShared } from '../../../src/operate/follow/follow-shared.ts'
import { StoreFault } from '../../../src/operate/object-store/object-store.ts'
import { retryRequest } from '../../../src/operate/object-store/retry-request.ts'
import { compact } from '../../../src/write/compact/compact.ts'
import { openRandom } from '../../../src/write/sample/random.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { entriesOf } from '../../support/folder-origin.ts'
import { contentOf, wholeLakeId } from '../../support/lakes/lake-content.ts'
import { refusingLake } from '../../support/lakes/refusing-lake.ts'
import { sharedCopy, shareLake } from '../../support/lakes/shared-copy.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import type { Trouble } from '../../support/rough-way.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

const none = { commits: 0, files: 0, bytes: 0 }

describe('a copy of a lake that another server shares', () => {
  it('has its snapshots and files, requests nothing twice, and costs one request while nothing is new', async () => {
    const there = await smallLake('a commit for each file')
    const { lake, way, openOrigin, request } = await sharedCopy(await shareLake(there, {}, 60_000))
    const origin = openOrigin()
    const came = await followShared({ ...request, origin })
    expect(came.commits).toBe(Object.keys(await entriesOf(there)).length)
    expect(await entriesOf(lake)).toEqual(await entriesOf(there))
    expect(await wholeLakeId(lake)).toBe(await wholeLakeId(there))
    const asked = way.asked.filter((one) => !one.includes('/snapshot'))
    expect(new Set(asked).size).toBe(asked.length)
    way.asked.length = 0
    expect(await followShared({ ...request, origin })).toMatchObject(none)
    expect(way.asked).toEqual(['/delta-sharing/shares/ledgerlake/snapshot 0'])
  })

  it('includes the rejects', async () => {
    const { folder, addDays } = await refusingLake(1)
    const { lake, again } = await sharedCopy(await shareLake(folder))
    await again()
    await addDays(1)
    const id = await wholeLakeId(folder)
    await expect.poll(async () => (await again()) && (await wholeLakeId(lake))).toBe(id)
    expect(Object.keys(contentOf(lake)).some((path) => path.startsWith('rejects/part-'))).toBe(true)
  })

  it('is readable at every moment and complete in the end, whatever the network does', async () => {
    const there = await smallLake(scaled('in one commit', 'a commit for each file'))
    const troubles: readonly Trouble[] = [
      ...['server error', 'slow down', 'no reply', 'cut', 'truncated', 'damaged', 'stale 304', 'no ranges'],
      ...scaled([], ['silent']),
    ] as const as readonly Trouble[]
    const expected = await wholeLakeId(there)
    const address = await shareLake(there, {}, 60_000)
    const seen = new Set<Trouble>()
    let next = 0
    for (let seed = 0; seed < scaled(1, 8); seed += 1) {
      const random = openRandom([seed, 1, 2])
      const { lake, way, again } = await sharedCopy(address, 200)
      way.trouble = () => {
        const one = random.chance(0.3) ? troubles[next++ % troubles.length] : undefined
        return one && seen.add(one) && one
      }
      const problems: string[] = []
      let id = ''
      for (let rounds = 0; id !== expected; rounds += 1) {
        expect(rounds).toBeLessThan(100)
        await again().catch((error: Error) => problems.push(error.message))
        id = await wholeLakeId(lake)
      }
      for (const problem of problems)
        expect(problem).toMatch(
          /cannot be read|answers|does not have the digest|came from|broke off|sends|longer|has the table|is not the one|was restored or made anew/,
        )
      expect(contentOf(lake)).toMatchObject(await entriesDigests(there))
    }
    expect([...seen].sort()).toEqual([...troubles].sort())
  })

  it.each([
    ['', undefined],
    [', also where a proxy leaves out which part is asked for', 'no ranges'],
  ] as const)('resumes a download at its next byte%s', async (_also, ranges) => {
    const { folder } = await refusingLake(1)
    const { lake, way, again } = await sharedCopy(await shareLake(folder, {}, 60_000))
    let cuts = 0
    way.trouble = (path) => (path.includes('.parquet') && cuts++ === 0 ? 'cut' : ranges)
    await again()
    const resumed = way.asked.filter((one) => !one.endsWith(' 0'))
    expect(resumed).toEqual([expect.stringMatching(/\.parquet [1-9]\d*$/)])
    await wholeLakeId(lake)
  })
})

describe('a lake that changes while it is followed', () => {
  it('is followed through ingests, compactions and vacuums, and every state of the copy is one of the lake', async () => {
    const { folder, addDays } = await refusingLake(2)
    const { lake, again } = await sharedCopy(await shareLake(folder))
    const ids = new Set<string>()
    let isDone = false
    const changing = async () => {
      for (let round = 0; round < scaled(2, 6); round += 1) {
        await addDays(2)
        await compact({ lake: folder, months: undefined, openWriter: openTestWriter })
        await vacuum({ lake: folder, keepHours: 0, isDryRun: false })
      }
      isDone = true
    }
    const problems: unknown[] = []
    const following = async () => {
      while (!isDone) {
        await again().catch((error) => problems.push(error))
        ids.add(await wholeLakeId(lake))
        await setTimeout(20)
      }
    }
    await Promise.all([changing(), following()])
    for (const problem of problems) expect(problem).toMatchObject({ name: 'StoreFault', kind: 'changed' })
    expect(ids.size).toBeGreaterThan(1)
    const there = await idsOf(folder)
    for (const id of ids) expect(there).toContain(id)
    await expect
      .poll(async () => {
        await again()
        return await wholeLakeId(lake)
      })
      .toBe(await wholeLakeId(folder))
    const [here, far] = [await buildTestServer(lake), await buildTestServer(folder)]
    expect(await everyAnswer(here)).toEqual(await everyAnswer(far))
  })

  it('is whole although the copy is vacuumed between its files', async () => {
    const { folder, addDays } = await refusingLake(1)
    const { lake, way, again } = await sharedCopy(await shareLake(folder))
    await again()
    await addDays(3)
    let vacuums = 0
    let running: Promise<unknown> | undefined
    way.beforeReply = async () => {
      running ??= vacuum({ lake, keepHours: vacuums++ % 2, isDryRun: false }).finally(() => {
        running = undefined
      })
      await running
    }
    const id = await wholeLakeId(folder)
    await expect
      .poll(async () => {
        await again()
        return await wholeLakeId(lake)
      })
      .toBe(id)
    expect(vacuums).toBeGreaterThan(2)
  })

  it('is only late while a server with an older snapshot answers', async () => {
    const { folder, addDays } = await refusingLake(1)
    const behind = await shareLake(folder, {}, 60_000)
    const { lake, way, again } = await sharedCopy(behind)
    await again()
    await addDays(1)
    way.target = await shareLake(folder)
    await again()
    const id = await wholeLakeId(folder)
    expect(await wholeLakeId(lake)).toBe(id)
    way.target = behind
    expect(await again()).toMatchObject(none)
    expect(await wholeLakeId(lake)).toBe(id)
  })
})

describe('a copy is refused with advice', () => {
  it('if its origin was restored from an older backup, before and after new commits', async () => {
    const { folder, addDays } = await refusingLake(1)
    const older = await temporaryFolder()
    await cp(folder, older, { recursive: true })
    await addDays(1)
    const { lake, way, again } = await sharedCopy(await shareLake(folder, {}, 60_000))
    await again()
    const before = contentOf(lake)
    await rm(folder, { recursive: true })
    await cp(older, folder, { recursive: true })
    way.target = await shareLake(folder)
    await expect(again()).rejects.toThrow(/restored from an older copy.* Copy it into an empty folder/)
    for (let commits = 1; commits <= 2; commits += 1) {
      await addDays(1)
      way.target = await shareLake(folder)
      await expect(again()).rejects.toThrow(
        commits === 1
          ? /which was restored or made anew; copy it into an empty/
          : /is not the one of .* copy it into/,
      )
    }
    expect(contentOf(lake)).toEqual(before)
  })

  it('if it has commits of its own', async () => {
    const { folder } = await refusingLake(1)
    const { lake, again } = await sharedCopy(await shareLake(folder, {}, 60_000))
    await cp(await smallLake(), lake, { recursive: true })
    const before = contentOf(lake)
    await expect(again()).rejects.toThrow(/has commits of its own.* use another folder/)
    expect(contentOf(lake)).toEqual(before)
  })

  it('if an entry was changed on its way, and no file of it is linked', async () => {
    const { folder } = await refusingLake(1)
    const { lake, way, again } = await sharedCopy(await shareLake(folder, {}, 60_000))
    way.trouble = (path) => (path.includes('/log/') ? 'edited' : undefined)
    await expect(again()).rejects.toThrow('does not have the digest that it names')
    expect(await entriesOf(lake).catch(() => ({}))).toEqual({})
  })
})

describe('an address of a file', () => {
  it.each([
    ['expires', { linkMs: 150 }, {}],
    ['is of a server that has another secret now', {}, { secret: 8 }],
  ])('that %s is requested again', async (_what, first, second) => {
    const { folder } = await refusingLake(1)
    const { way, openOrigin } = await sharedCopy(await shareLake(folder, first, 60_000))
    const { signal } = new AbortController()
    const origin = openOrigin()
    await origin.versions(signal)
    const [text = ''] = await gathered(origin.entries('rejects', -1, 0, signal))
    const { add } = JSON.parse(text.split('\n').find((line) => line.startsWith('{"add"')) ?? '')
    const file = { table: 'rejects', path: add.path, bytes: add.size, sha256: add.tags['ledgerlake.sha256'] }
    await setTimeout(200)
    way.target = await shareLake(folder, second, 60_000)
    const read = () => origin.read(file, 0, signal)
    await expect(read()).rejects.toMatchObject({ kind: 'expired' })
    const chunks = await gathered(await retryRequest(read, { attempts: 1, firstWaitMs: 1 }))
    expect(Buffer.concat(chunks)).toHaveLength(add.size)
    const unknown = { ...file, path: 'part-1.parquet' }
    await expect(origin.read(unknown, 0, signal)).rejects.toThrow(StoreFault)
  })
})

async function entriesDigests(lake: string): Promise<Readonly<Record<string, string>>> {
  const all = Object.entries(contentOf(lake)).filter(([path]) =>
    /_delta_log\/\d{20}\.json$|part-|_facts/.test(path),
  )
  return Object.fromEntries(all)
}

async function gathered<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** The ids of all snapshots that a lake has had, by the times of its commits. */
async function idsOf(lake: string): Promise<readonly string[]> {
  const commits = Object.entries(await entriesOf(lake)).map(([path, text]) => ({
    table: resources.find(({ name }) => name === path.split('/')[0]),
    version: Number(/(\d{20})\.json$/.exec(path)?.[1]),
    time: Number(/"timestamp":(\d+)/.exec(text)?.[1]),
  }))
  const versions = new Map<Resource, number>()
  const ids = ['']
  for (const { table, version } of commits.sort((a, b) => a.time - b.time)) {
    if (table !== undefined) versions.set(table, version)
    ids.push((await new Lake(lake).idAt(versions)) ?? '')
  }
  return ids
}
