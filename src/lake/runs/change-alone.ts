import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fail } from '../../base/errors.ts'
import { openScratchFolder, removeAbandoned } from './run-folder.ts'

const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 20

/**
 * Runs work under an exclusive lock on a path, with a scratch folder. Each contender waits until there is no lock folder,
 * creates one and looks again, so at most one finds no other. Among concurrent folders the first by name waits, and the
 * others step back. Folders of dead processes do not count.
 * Errors: `lake_unwritable` when no contender has begun or ended for `waitMs`.
 */
export async function changeAlone<T>(
  path: string,
  work: (scratch: string) => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const parent = `${path}.lock`
  const waitForRivals = openWait(path, parent, waitMs)
  await removeAbandoned(parent)
  for (;;) {
    for (let folders = await foldersIn(parent); folders.length > 0; folders = await foldersIn(parent))
      await waitForRivals(folders)
    const { folder, close } = await openScratchFolder(parent)
    try {
      for (;;) {
        const rivals = (await foldersIn(parent)).filter((name) => name !== basename(folder))
        if (rivals.length === 0) return await work(folder)
        if (rivals.some((name) => name < basename(folder))) break
        await waitForRivals(rivals)
      }
    } finally {
      // A folder that stays counts as one of a dead process soon.
      await close().catch(() => {})
    }
    await setTimeout(LOOK_AGAIN_MS * Math.random())
  }
}

async function foldersIn(parent: string): Promise<readonly string[]> {
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => !name.startsWith('.'))
}

/** Returns a wait that fails once the same contenders have been there for `waitMs`. */
function openWait(path: string, parent: string, waitMs: number) {
  let seen: string | undefined
  let giveUpAt = 0
  return async (rivals: readonly string[]) => {
    const now = performance.now()
    if (seen !== String(rivals)) giveUpAt = now + waitMs
    seen = String(rivals)
    if (now > giveUpAt || waitMs === 0)
      fail(
        'lake_unwritable',
        `Another command is changing ${path}; wait for it, or remove ${parent} if none is running.`,
      )
    await setTimeout(LOOK_AGAIN_MS)
    await removeAbandoned(parent)
  }
}
