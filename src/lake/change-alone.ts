import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fail } from '../errors.ts'
import { openScratchFolder, removeAbandoned } from './run-folder.ts'

const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 20

/**
 * Does work while no other process or caller changes the same file, with a folder for temporary files beside it. Each puts
 * up a folder of its own before it looks for others, so at most one sees none; those of dead processes do not count. Of
 * several the first by name waits, and the others step back. Errors: `lake_unwritable` when the others do not end.
 */
export async function changeAlone<T>(
  path: string,
  work: (scratch: string) => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const parent = `${path}.lock`
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    const { folder, close } = await openScratchFolder(parent)
    const own = basename(folder)
    try {
      for (;;) {
        const others = (await readdir(parent)).filter((name) => name !== own && !name.startsWith('.'))
        if (others.length === 0) return await work(folder)
        if (performance.now() > giveUpAt)
          fail(
            'lake_unwritable',
            `Another command is changing ${path}; wait for it, or remove ${parent} if none is running.`,
          )
        if (others.some((name) => name < own)) break
        await setTimeout(LOOK_AGAIN_MS)
        await removeAbandoned(parent)
      }
    } finally {
      // The change is made or not; a folder that stays is one of a dead process soon.
      await close().catch(() => {})
    }
    await setTimeout(LOOK_AGAIN_MS * Math.random())
  }
}
