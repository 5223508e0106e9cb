import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { leftoversOf } from '../leftovers.ts'
import { makeTinySteps } from '../torture/tiny-steps.ts'
import { workersOf } from '../workers.ts'
import type { Step } from './inputs.ts'
import { openReaders } from './readers.ts'
import { finishCommand, killCommand } from './run.ts'
import { checkSources, textsOf } from './sources.ts'
import { visibleSources } from './visible.ts'

/** Commands of the built program killed at random moments, while a server with two workers answers from the same lake. */

export interface Kill {
  readonly command: string
  readonly delayMs: number
  /** Whether it was still running. */
  readonly isKilled: boolean
  readonly seconds: number
}

export interface CommandKills {
  readonly folder: string
  readonly kills: number
  readonly seed: string
  readonly onKill?: (kill: Kill) => void
}

const SLOWEST_MS = 1200

/** Kills so many commands. Throws at the first thing that is not as it has to be; gives how many answers readers got too. */
export async function killCommands({ folder, kills, seed, onKill }: CommandKills) {
  const random = openRandom(deriveSeed('kill commands', seed))
  const done: Kill[] = []
  let answered = 0
  for (let round = 0; done.filter(({ isKilled }) => isKilled).length < kills; round += 1) {
    const own = join(folder, `round-${round}`)
    mkdirSync(own)
    answered += await killAround(own, random, (kill) => {
      done.push(kill)
      onKill?.(kill)
    })
    rmSync(own, { recursive: true })
  }
  return { kills: done, answered }
}

/** A lake that grows, is changed, compacted, vacuumed and backed up; each command is killed once, then run to its end. */
async function killAround(folder: string, random: Random, onKill: (kill: Kill) => void): Promise<number> {
  const lake = join(folder, 'lake')
  const steps = await makeTinySteps(join(folder, 'input'))
  const ingest = ({ args }: Step) => ['ingest', ...args, '--lake', lake]
  await finishCommand(lake, ingest(steps[0]))
  const readers = await openReaders(lake, folder)
  readers.allow(steps[0])
  let held: Step = steps[0]

  const around = async (args: readonly string[], after: Step): Promise<void> => {
    readers.allow(after)
    onKill(await kill(args, lake, random))
    const visible = await visibleSources(lake)
    checkSources(lake, visible, held.sources, after.sources)
    await finishCommand(lake, args)
    assert.deepEqual(textsOf(await visibleSources(lake)), textsOf(after.sources), `after ${args[0]}`)
    // The readers run on, and say so in the lake.
    const left = leftoversOf(lake).filter((path) => !path.startsWith('_readers/'))
    assert.deepEqual(left, [], `${args[0]} left something`)
    held = after
    await readers.expectSoon(after)
  }

  const backups = join(folder, 'backups')
  const keys = join(folder, 'keys', 'keys.ndjson')
  mkdirSync(join(folder, 'keys'))
  for (const step of steps.slice(1)) {
    await around(ingest(step), step)
    await around(['compact', '--month', '2025-01', '--lake', lake], step)
    await around(['vacuum', '--keep-hours', '0', '--lake', lake], step)
    await around(['backup', '--to', backups, '--lake', lake], step)
    await checkBackups(backups, step)
    onKill(await kill(['keys', 'add', '--name', step.name, '--keys', keys], lake, random))
    await checkKeys(keys, lake)
    onKill(await killWorker(readers.server.child.pid ?? 0, random))
    await readers.expectSoon(step)
  }
  await readers.stop()
  return readers.answered()
}

async function kill(args: readonly string[], lake: string, random: Random): Promise<Kill> {
  const began = performance.now()
  const delayMs = 40 + random.below(SLOWEST_MS)
  const isKilled = await killCommand(lake, args, { after: 'start', count: 0, delayMs })
  return { command: args[0] ?? '', delayMs, isKilled, seconds: secondsSince(began) }
}

/** One of the workers; the parent starts another. */
async function killWorker(parent: number, random: Random): Promise<Kill> {
  const began = performance.now()
  const workers = workersOf(parent)
  assert.ok(workers.length > 0, 'there are no workers')
  process.kill(workers[random.below(workers.length)] as number, 'SIGKILL')
  return { command: 'worker of serve', delayMs: 0, isKilled: true, seconds: secondsSince(began) }
}

const secondsSince = (began: number) => Math.round(performance.now() - began) / 1000

/** Every backup that has its name is whole; nothing else is there. */
async function checkBackups(folder: string, newest: Step): Promise<void> {
  const names = readdirSync(folder)
    .filter((name) => !name.endsWith('.lock'))
    .sort()
  assert.ok(names.length > 0 && names.every((name) => /^\d{4}-/.test(name)), `the backups are ${names}`)
  for (const name of names)
    assert.ok((await visibleSources(join(folder, name))).length > 0, `${name} is empty`)
  const visible = await visibleSources(join(folder, names.at(-1) ?? ''))
  assert.deepEqual(textsOf(visible), textsOf(newest.sources), 'the newest backup')
}

/** The file is missing or good, and its owner's alone. */
async function checkKeys(path: string, lake: string): Promise<void> {
  await finishCommand(lake, ['keys', 'list', '--keys', path])
  if (existsSync(path)) assert.equal(statSync(path).mode & 0o077, 0, 'others may read the key file')
}
