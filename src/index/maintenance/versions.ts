import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

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
