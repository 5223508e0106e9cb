import { readdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { repeatEvery } from '../../base/background.ts'
import { makeFolder } from '../disk/disk.ts'
import { readClock } from '../disk/this-machine.ts'
import { forgetSeen, isAbandoned, newRunId } from './run-owner.ts'

/**
 * A temporary folder of one process. Its name identifies the process; its mtime shows other machines that the process
 * is alive.
 */
export interface RunFolder {
  readonly id: string
  readonly folder: string
  /** Stops updating the mtime; the folder is kept. */
  release(): void
}

const SIGN_OF_LIFE_MS = 3_600_000

export async function openRunFolder(parent: string): Promise<RunFolder> {
  const id = newRunId()
  const folder = join(parent, id)
  await makeFolder(folder)
  const signs = repeatEvery(SIGN_OF_LIFE_MS, 'keeping a folder alive', () =>
    utimes(folder, new Date(), new Date()),
  )
  return { id, folder, release: signs.stop }
}

/**
 * Takes over the folders of dead processes, and of remote processes that were silent for a week. It renames them, so that
 * no other process takes them too, and an owner that is alive after all cannot commit.
 */
export async function takeAbandoned(parent: string, clock = readClock()): Promise<readonly string[]> {
  const folders: string[] = []
  const names = await readdir(parent)
  for (const name of names) {
    if (!(await isAbandoned(parent, name, clock, true))) continue
    const folder = join(parent, newRunId())
    const isTaken = await rename(join(parent, name), folder).then(
      () => true,
      () => false,
    )
    if (isTaken) folders.push(folder)
  }
  await forgetSeen(parent, await readdir(parent))
  return folders
}

/** Lists the folders that `takeAbandoned` would take; empty when there is no parent. */
export async function listAbandoned(parent: string, clock = readClock()): Promise<readonly string[]> {
  const abandoned: string[] = []
  for (const name of await readdir(parent).catch(() => []))
    if (await isAbandoned(parent, name, clock, false)) abandoned.push(name)
  return abandoned
}

/** Opens a folder for temporary files, and removes those of dead processes. */
export async function openScratchFolder(parent: string): Promise<{ folder: string; close(): Promise<void> }> {
  const { folder, release } = await openRunFolder(parent)
  await removeAbandoned(parent)
  return {
    folder,
    async close() {
      release()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Removes the scratch folders of dead processes; the parent may be missing. */
export async function removeAbandoned(parent: string, clock = readClock()): Promise<void> {
  for (const abandoned of await takeAbandoned(parent, clock).catch(() => []))
    await rm(abandoned, { recursive: true, force: true }).catch(() => {})
}
