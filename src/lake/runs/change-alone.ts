import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fail } from '../../base/errors.ts'
import { openScratchFolder, removeAbandoned } from './run-folder.ts'

const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 20

/**
 * Does work while no other process or caller changes the same file, with a folder for temporary files beside it. Each waits
 * until there is no folder, puts up one of its own and looks again, so at most one sees none but its own; folders of dead
 * processes do not count. Of several that were put up at once the first by name waits, and the others step back.
 * Errors: `lake_unwritable` when none of the others has begun or ended for `waitMs`.
 */
export async function changeAlone<T>(
  path: string,
  work: (scratch: string) => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const parent = `${path}.lock`
  const waitForOthers = waiting(path, parent, waitMs)
  await removeAbandoned(parent)
  for (;;) {
    for (let folders = await foldersIn(parent); folders.length > 0; folders = await foldersIn(parent))
      await waitForOthers(folders)
    const { folder, close } = await openScratchFolder(parent)
    try {
      for (;;) {
        const rivals = (await foldersIn(parent)).filter((name) => name !== basename(folder))
        if (rivals.length === 0) return await work(folder)
        if (rivals.some((name) => name < basename(folder))) break
        await waitForOthers(rivals)
      }
    } finally {
      // The change is made or not; a folder that stays is one of a dead process soon.
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

/** Many may have their turn first: only others that stay as they are for so long end the wait. */
function waiting(path: string, parent: string, waitMs: number) {
  let seen: string | undefined
  let giveUpAt = 0
  return async (others: readonly string[]) => {
    const now = performance.now()
    if (seen !== String(others)) giveUpAt = now + waitMs
    seen = String(others)
    if (now > giveUpAt || waitMs === 0)
      fail(
        'lake_unwritable',
        `Another command is changing ${path}; wait for it, or remove ${parent} if none is running.`,
      )
    await setTimeout(LOOK_AGAIN_MS)
    await removeAbandoned(parent)
  }
}
