import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Digest of every file below a lake by its path, so that two moments can be held against each other. */
export function contentOf(lake: string): Readonly<Record<string, string>> {
  const files = readdirSync(lake, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((file) => join(file.parentPath, file.name)).sort()
  return Object.fromEntries(
    paths.map((path) => [
      path.slice(lake.length + 1),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  )
}
