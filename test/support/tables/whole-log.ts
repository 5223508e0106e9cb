import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tablesOf } from '../lakes/leftovers.ts'
import { some } from '../some.ts'
import { type LoggedFile, locationOf, readEntries } from './delta-table.ts'
import { factsOf } from './file-facts.ts'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Live files of a table. No version may be missing, and every entry must have the digest that it names. */
export function liveFiles(table: string): readonly LoggedFile[] {
  const live = new Map<string, LoggedFile>()
  for (const [version, { text, actions, version: named, path }] of readEntries(table).entries()) {
    assert.equal(named, version, `a version is missing before ${path}`)
    const digest = /"digest":"([0-9a-f]{64})"/.exec(text)?.[1] ?? ''
    assert.equal(sha256(text.replace(digest, '0'.repeat(64))), digest, `${path} is not whole`)
    for (const { add, remove } of actions) {
      if (remove !== undefined) live.delete(String(remove.path))
      if (add !== undefined) live.set(String(add.path), add as unknown as LoggedFile)
    }
  }
  return [...live.values()]
}

/** Where a file of a log lies. It must have the digest that its entry names, which comes along. */
export function wholeFile(table: string, file: LoggedFile): { path: string; digest: string } {
  const path = locationOf(table, file)
  const digest = sha256(readFileSync(path))
  assert.equal(digest, file.tags['ledgerlake.sha256'], `${path} is not what its entry says`)
  return { path, digest }
}

/** What must hold of every table of a lake, whatever happened to its writers: also of files that were removed since. */
export function expectWholeLog(lake: string): void {
  for (const table of some(tablesOf(lake)).map((name) => join(lake, name))) {
    liveFiles(table)
    for (const { add } of readEntries(table).flatMap(({ actions }) => actions))
      if (add !== undefined) {
        wholeFile(table, add as unknown as LoggedFile)
        factsOf(table, add as unknown as LoggedFile)
      }
  }
}
