import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzz, newProgress, type Progress, runCase } from './run.ts'
import { openTargets } from './targets.ts'
import { openWorld } from './world.ts'

/** One part of a run, in a process of its own: it tells its parent after each batch, and notes how far it is. */
export interface PartRequest {
  readonly seed: string
  readonly part: number
  readonly of: number
  readonly cases: number
  readonly only: readonly string[]
  /** Where the progress is kept; a run that finds some goes on with it. */
  readonly file: string
  /** One case alone: the name of its target and its numbers. */
  readonly one?: string | undefined
}

const SAVE_MS = 5000

export async function runPart(request: PartRequest): Promise<Progress> {
  const { seed, part, of, cases, only, file, one } = request
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ledgerlake-fuzz-'))
  try {
    const world = await openWorld(folder)
    const targets = await openTargets(world, only)
    const progress = readProgress(file) ?? newProgress(seed, part, of)
    if (progress.seed !== seed || progress.of !== of)
      throw new Error(`${file} is of another seed or number of parts`)
    if (one !== undefined) {
      const [name, path = ''] = one.split(':')
      const target = targets.find((candidate) => candidate.name === name)
      if (target === undefined) throw new Error(`--case is ${one}; use a target, a colon and its numbers`)
      console.log(await runCase(target, seed, path))
    } else {
      let saved = Date.now()
      await fuzz(targets, progress, cases, () => {
        if (Date.now() - saved > SAVE_MS) {
          writeProgress(file, progress)
          saved = Date.now()
        }
        process.send?.(progress.done)
        return true
      })
      writeProgress(file, progress)
    }
    await world.close()
    return progress
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function readProgress(file: string): Progress | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Progress) : undefined
}

function writeProgress(file: string, progress: Progress): void {
  writeFileSync(`${file}.new`, JSON.stringify(progress))
  renameSync(`${file}.new`, file)
}
