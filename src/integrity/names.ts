import { dirname } from 'node:path'

/** Names of files for readers that keep what they read under the name; a longer one leads to the same file. */
export interface Names {
  of(path: string): string
  /** From now on the file has a name under which nothing was kept. */
  change(path: string): void
}

/** Names stay well below the longest that the system takes. */
const MOST = 500

export function openNames(): Names {
  const changes = new Map<string, number>()
  return {
    of(path) {
      const count = changes.get(path) ?? 0
      if (count === 0) return path
      const folder = dirname(path)
      return `${folder}/${'./'.repeat(count)}${path.slice(folder.length + 1)}`
    },
    change: (path) => void changes.set(path, ((changes.get(path) ?? 0) + 1) % MOST),
  }
}
