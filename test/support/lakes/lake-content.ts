import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Lake } from '../../../src/lake/snapshot/lake.ts'

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

/** Reads every file that the newest snapshot needs, facts included, and gives its id. Errors: AssertionError for a file that is not as the log says. */
export async function wholeLakeId(lake: string): Promise<string> {
  const { tables, id } = await new Lake(lake).latest()
  for (const { files } of tables)
    for (const { path, sha256, rows } of files) {
      assert.ok(rows > 0, `${path} has no facts`)
      const found = createHash('sha256').update(readFileSync(path)).digest('hex')
      assert.equal(found, sha256, `${path} has other bytes`)
    }
  return id
}
