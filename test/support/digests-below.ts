import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from './leftovers.ts'

/** The SHA-256 of each file below a folder, by its path in there. */
export function digestsBelow(folder: string): Readonly<Record<string, string>> {
  const digestOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(filesBelow(folder).map((name) => [name, digestOf(name)]))
}
