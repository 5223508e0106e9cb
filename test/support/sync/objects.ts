import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recognisePath } from '../../../src/write/ingest/files/artifact.ts'
import { filesBelow } from '../lakes/leftovers.ts'
import { runProgram } from '../servers/run-program.ts'

/** An object of a made-up network, as the buckets of the network name theirs. */
export interface SampleObject {
  readonly key: string
  readonly body: Uint8Array
  /** What else the same name might hold: a file of another network of the same day. */
  readonly other: Uint8Array | undefined
  /** 0 for parts of the ledger archive. */
  readonly createdMs: number
}

const DAY_MS = 86_400_000

/** So many days of oracle files, seven a day, and a ledger archive of some 120 parts; oldest first. */
export async function makeObjects(folder: string, seed: string, days: number) {
  const own = await writeSample(folder, seed, days)
  const others = await writeSample(folder, `${seed}-other`, days)
  const otherAt = new Map(others.map((key) => [placeOf(key, others), key]))
  const objects = own.map((key) => {
    const other = /transactions\/|verified|iot-ingest/.test(key) ? otherAt.get(placeOf(key, own)) : undefined
    return {
      key,
      body: readFileSync(join(folder, seed, key)),
      other: other === undefined ? undefined : readFileSync(join(folder, `${seed}-other`, other)),
      createdMs: recognisePath(key)?.createdMs ?? 0,
    }
  })
  return objects.sort((a, b) => a.createdMs - b.createdMs || (a.key < b.key ? -1 : 1))
}

/** Objects in equal numbers of days, with as many parts of the archive each. */
export function inStages(
  objects: readonly SampleObject[],
  count: number,
): readonly (readonly SampleObject[])[] {
  const timed = objects.filter(({ createdMs }) => createdMs > 0)
  const parts = objects.filter(({ createdMs }) => createdMs === 0)
  const [from, to] = [timed[0]?.createdMs ?? 0, (timed.at(-1)?.createdMs ?? 0) + 1]
  const stageOf = (ms: number) => Math.floor(((ms - from) * count) / (to - from))
  return Array.from({ length: count }, (_, stage) => [
    ...timed.filter(({ createdMs }) => stageOf(createdMs) === stage),
    ...parts.filter((_, place) => place % count === stage),
  ])
}

/** Whether an object is of the last so many days of some. */
export function isOfLastDays(object: SampleObject, days: number, of: readonly SampleObject[]): boolean {
  const newest = Math.max(...of.map(({ createdMs }) => createdMs))
  return object.createdMs > newest - days * DAY_MS
}

async function writeSample(folder: string, seed: string, days: number): Promise<readonly string[]> {
  const common = ['--out', seed, '--hotspots', '8', '--seed', seed]
  for (const flags of [
    ['--days', String(days)],
    ['--l1', '--transactions', '20000', '--part-rows', '1500'],
  ]) {
    const { code, stderr } = await runProgram(['sample', ...common, ...flags], { cwd: folder })
    assert.equal(code, 0, stderr)
  }
  // Records of hotspots are known by their content alone, so a bucket does not bring them.
  return filesBelow(join(folder, seed)).filter((key) => recognisePath(key) !== undefined)
}

/** `folder/name.<time>.gz` -> `folder/name` and the how-manieth of that name it is; another key is its own place. */
function placeOf(key: string, all: readonly string[]): string {
  const series = key.replace(/\.\d+\.gz$/, '')
  return series === key ? key : `${series} ${all.filter((one) => one.startsWith(`${series}.`)).indexOf(key)}`
}
