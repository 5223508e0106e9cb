import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readSpent } from '../../../src/operate/sync/spending.ts'
import { sourceFolder } from '../../../src/operate/sync/sync-state.ts'
import { artifactKindOf, recognisePath } from '../../../src/write/ingest/files/artifact.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import type { Moment } from '../../torture/interrupts/run-until.ts'
import { spell } from '../exact-json.ts'
import { filesBelow } from '../lakes/leftovers.ts'
import { shuffled } from '../network/draw.ts'
import type { S3Server } from './moto.ts'
import { inStages, isOfLastDays, type SampleObject } from './objects.ts'
import { type Place, runSync, type SyncRun } from './run-sync.ts'
import { checkAsIngested } from './same-lakes.ts'

const STAGES = 5
const MOST_RUNS = 80
/** Kills of a stage that come while objects are being read; later ones come mostly while they are ingested. */
const KILLS_BY_READS = 6
const LAST_DAYS = 2
const FEWEST_KILLS = 40

/**
 * A bucket that grows, is late and changes, and a program that is killed again and again while it fetches it; gives what happened.
 * Errors: AssertionError when the lake is not that of the bucket, or too little happened.
 */
export async function killRounds(
  place: Place,
  server: S3Server,
  objects: readonly SampleObject[],
  random: Random,
  say: (line: string) => void,
) {
  const { lake, proxy } = place
  /** Kills by what the program was doing; objects that changed before they were in the lake, and after. */
  const figures = {
    ...{ objects: objects.length, runs: 0, fetching: 0, ingesting: 0, other: 0 },
    ...{ late: 0, changedBefore: 0, changedAfter: 0 },
  }
  const there = new Map<string, Uint8Array>()
  const changed = new Set<string>()

  async function put(given: Iterable<{ readonly key: string; readonly body: Uint8Array }>): Promise<void> {
    for (const { key, body } of given) {
      await server.put(key, body)
      there.set(key, body)
    }
  }

  async function run(moment: Moment | undefined, flags: readonly string[] = []): Promise<SyncRun> {
    const [left, staged] = [proxy.left(), stagedRuns(lake)]
    const done = await runSync(place, flags, moment)
    figures.runs += 1
    if (done.code === null) {
      await setTimeout(300)
      const isIngesting = stagedRuns(lake).some((name) => !staged.includes(name))
      figures[proxy.left() > left ? 'fetching' : isIngesting ? 'ingesting' : 'other'] += 1
    } else if (done.said === undefined && done.code !== 3)
      assert.fail(`sync left with ${done.code}: ${done.stderr}`)
    await checkCounted(place)
    return done
  }

  /** Gives other bytes to some that are in the lake, whose keys it gives, and to some that are not. */
  async function change(stage: readonly SampleObject[]): Promise<readonly string[]> {
    const held = await heldNames(lake)
    const isHeld = ({ key }: SampleObject) => held.has(`${recognisePath(key)?.kind} ${basename(key)}`)
    const may = shuffled(stage, random).filter(
      (one) => there.has(one.key) && one.other !== undefined && !changed.has(one.key),
    )
    const before = may.filter((one) => !isHeld(one)).slice(0, 2)
    const isLate = (one: SampleObject) => one.createdMs === 0 || isOfLastDays(one, LAST_DAYS + 1, stage)
    const after = may.filter((one) => isHeld(one) && isLate(one)).slice(0, 2)
    const others = [...before, ...after]
    await put(others.map(({ key, other = new Uint8Array() }) => ({ key, body: other })))
    for (const { key } of others) changed.add(key)
    figures.changedBefore += before.length
    figures.changedAfter += after.length
    return after.map(({ key }) => key)
  }

  function momentOf(round: number): Moment | undefined {
    const [reads, ms, stagedMs] = [1 + random.below(10 + 4 * round), random.below(6000), random.below(600)]
    if (round <= KILLS_BY_READS) return () => proxy.afterReads(reads)
    const isLater = round > KILLS_BY_READS + 1
    if (isLater && random.chance(0.25)) return undefined
    return isLater && random.chance(0.3) ? () => setTimeout(ms) : staged(lake, stagedMs)
  }

  const later: SampleObject[] = []
  for (const [number, stage] of inStages(objects, STAGES).entries()) {
    const lastDays = shuffled(
      stage.filter((one) => isOfLastDays(one, LAST_DAYS, stage)),
      random,
    )
    // Some come while the others are fetched, and some when a later stage has begun.
    const [late, muchLater] = [lastDays.slice(0, 3), number === STAGES - 1 ? [] : lastDays.slice(3, 6)]
    const waiting = [...late, ...muchLater]
    await put([...later.splice(0), ...stage.filter((one) => !waiting.includes(one))])
    later.push(...muchLater)
    figures.late += waiting.length
    const told = new Set<string>()
    let [hasCome, hasChanged] = [false, false]
    let last: SyncRun | undefined
    for (let round = 1; !isWhole(last, told) || !hasCome || !hasChanged; round += 1) {
      assert(round < MOST_RUNS, `stage ${number + 1} does not become whole: ${JSON.stringify(last)}`)
      last = await run(momentOf(round))
      const isDone = isWhole(last, told)
      if (![2, 3, 5, 8].includes(round) && (hasChanged || !isDone)) continue
      // What is other now asks for another run.
      for (const key of await change(stage)) told.add(key)
      if (!hasCome) await put(late)
      hasCome = true
      hasChanged ||= isDone
      last = undefined
    }
    last = undefined
    for (let round = 1; !isWhole(last, new Set()); round += 1) {
      assert(round < MOST_RUNS, `--replace does not come to its end: ${JSON.stringify(last)}`)
      last = await run(round <= 2 ? () => proxy.afterReads(round) : undefined, ['--replace'])
    }
    say(`stage ${number + 1}: ${there.size} objects, ${told.size} told as changed, ${spell(figures)}`)
  }

  assert.equal(there.size, objects.length)
  const rows = await checkAsIngested(place.folder, lake, there)
  await checkNothingToDo(place)
  const { fetching, ingesting, other, changedBefore, changedAfter } = figures
  const seen = [fetching, ingesting, proxy.resumed(), changedBefore, changedAfter]
  if (seen.includes(0) || fetching + ingesting + other < FEWEST_KILLS)
    throw new Error(
      `too little happened; ${FEWEST_KILLS} kills and some of each are needed: ${spell(figures)}`,
    )
  return { ...figures, rows }
}

/** Names of ingests that go on, or that were killed and not cleared up yet. */
function stagedRuns(lake: string): readonly string[] {
  const folder = join(lake, '_staging')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Some time after an ingest has begun to write. */
function staged(lake: string, delayMs: number): Moment {
  const before = stagedRuns(lake)
  return async (child) => {
    while (child.exitCode === null && stagedRuns(lake).every((run) => before.includes(run)))
      await setTimeout(10)
    await setTimeout(delayMs)
  }
}

/** Whether a run came to its end, and what it left are exactly the objects that changed after they were ingested. */
function isWhole(run: SyncRun | undefined, told: ReadonlySet<string>): boolean {
  if (run?.said === undefined) return false
  const { left } = run.said
  if (left.some(({ reason }) => !reason.includes('--replace'))) return false
  assert.deepEqual(left.map(({ key }) => key).sort(), [...told].sort(), 'other objects are told as changed')
  return true
}

/** Kinds and names, since parts of several tables have the same name. */
async function heldNames(lake: string): Promise<ReadonlySet<string>> {
  const { tables } = await new Lake(lake).latest()
  const names = tables.flatMap(({ resource, sources }) =>
    [...sources.values()].map(({ name }) => `${artifactKindOf(resource)} ${name}`),
  )
  return new Set(names)
}

const stateOf = ({ lake, bucket, proxy }: Place) =>
  sourceFolder(join(lake, '_state'), `${proxy.endpoint} s3://${bucket}`)

/** The program's counts are never less than those of the store. */
export async function checkCounted(place: Place): Promise<void> {
  const [counted, bill] = [await readSpent(stateOf(place)), place.proxy.bill()]
  const text = `counted ${spell(counted)}, asked for ${spell(bill)}`
  assert(counted.lists >= bill.lists && counted.reads >= bill.reads && counted.bytes >= bill.bytes, text)
}

/** Another run reads nothing, also when what is known of the bucket was lost; nothing is left in the state folder. */
async function checkNothingToDo(place: Place): Promise<void> {
  place.proxy.isRough = false
  for (const isLost of [false, true]) {
    if (isLost) rmSync(join(place.lake, '_state', 'sync'), { recursive: true })
    const { reads } = place.proxy.bill()
    const { code, said, stderr } = await runSync(place)
    assert.equal(code, 0, stderr)
    assert.deepEqual([said?.fetched, said?.stored, said?.left], [0, 0, []])
    assert.equal(
      place.proxy.bill().reads,
      reads,
      `objects are read again${isLost ? ' without the state' : ''}`,
    )
    assert.deepEqual(filesBelow(stateOf(place)), ['spent.ndjson', 'state.json'])
  }
}
