import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Requests on the version of a table before may still be under way when the newest is built. */
export const VERSIONS_KEPT = 2

/** Paths of what is in a folder, written last first; none when it is missing. */
export async function newestFirst(
  folder: string,
  isWanted: (name: string) => boolean = () => true,
): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names.filter(isWanted).map(async (name) => {
      const path = join(folder, name)
      // Another process may have removed it meanwhile.
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 }
    }),
  )
  return found.sort((a, b) => b.at - a.at).map(({ path }) => path)
}

/** Removes all but the first paths. */
export async function removeOlder(paths: readonly string[]): Promise<void> {
  for (const path of paths.slice(VERSIONS_KEPT)) await rm(path, { recursive: true, force: true })
}
