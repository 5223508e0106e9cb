import { readdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { every } from '../../base/background.ts'
import { makeFolder } from '../disk/disk.ts'
import { readClock } from '../disk/this-machine.ts'
import { forgetSeen, isAbandoned, newRunId } from './run-owner.ts'

/** A folder that one process uses for a while. Its name says which; other machines see by its changes that the process lives. */
export interface RunFolder {
  readonly id: string
  readonly folder: string
  /** Ends its signs of life; the folder stays. */
  release(): void
}

const SIGN_OF_LIFE_MS = 3_600_000

export async function openRunFolder(parent: string): Promise<RunFolder> {
  const id = newRunId()
  const folder = join(parent, id)
  await makeFolder(folder)
  const signs = every(SIGN_OF_LIFE_MS, 'keeping a folder alive', () => utimes(folder, new Date(), new Date()))
  return { id, folder, release: signs.stop }
}

/**
 * Takes over the folders of processes that are gone, or that are elsewhere and were seen to be silent for a week.
 * They get names of this process, so that nobody else takes them over too; and an owner that lives after all
 * finds nothing of its own any more that it could commit.
 */
export async function takeAbandoned(parent: string, clock = readClock()): Promise<readonly string[]> {
  const taken: string[] = []
  const names = await readdir(parent)
  for (const name of names) {
    if (!(await isAbandoned(parent, name, clock, true))) continue
    const folder = join(parent, newRunId())
    const isTaken = await rename(join(parent, name), folder).then(
      () => true,
      () => false,
    )
    if (isTaken) taken.push(folder)
  }
  await forgetSeen(parent, await readdir(parent))
  return taken
}

/** Names of the folders that `takeAbandoned` would take; none when there is no parent. Changes nothing. */
export async function listAbandoned(parent: string, clock = readClock()): Promise<readonly string[]> {
  const abandoned: string[] = []
  for (const name of await readdir(parent).catch(() => []))
    if (await isAbandoned(parent, name, clock, false)) abandoned.push(name)
  return abandoned
}

/** A folder for temporary files of this process that mean nothing to others; those of dead ones are removed. */
export async function openScratchFolder(parent: string): Promise<{ folder: string; close(): Promise<void> }> {
  const { folder, release } = await openRunFolder(parent)
  await removeAbandoned(parent)
  return {
    folder,
    async close() {
      release()
      await remove(folder)
    },
  }
}

/** Removes what dead processes left in a folder of scratch folders; it may be missing. */
export async function removeAbandoned(parent: string, clock = readClock()): Promise<void> {
  for (const abandoned of await takeAbandoned(parent, clock).catch(() => []))
    await remove(abandoned).catch(() => {})
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
