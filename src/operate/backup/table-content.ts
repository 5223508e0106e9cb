import { hash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { digestOf } from '../../lake/disk/disk.ts'
import { logEntryPath } from '../../lake/disk/layout.ts'
import { type NamedFacts, namedFactsIn, SHA256 } from '../../lake/facts/file-tags.ts'
import { listLog, readEntry, refuseGap } from '../../lake/log/log-entry.ts'
import { readEntryActions } from '../../lake/log/read-actions.ts'

/** A data file named by the log of its table. */
interface NamedFile {
  readonly bytes: number
  /** SHA-256 in hex; undefined when another program added the file. */
  readonly sha256: string | undefined
  /** Its facts file; undefined if the log has the facts. */
  readonly facts: NamedFacts | undefined
  /** True if the file belongs to this version. Other files serve older snapshots and may be vacuumed. */
  readonly isLive: boolean
}

/** Content of the log of a table up to a version. */
export interface TableContent {
  readonly name: string
  /** Id given when the table was created. */
  readonly id: string
  readonly version: number
  /** Digest of the newest entry. */
  readonly digest: string
  /** Digest of the digests of all entries. */
  readonly log: string
  /** Digests of the entries, by version. */
  readonly entries: readonly string[]
  /** Data files by path relative to the table. */
  readonly files: ReadonlyMap<string, NamedFile>
}

/** Names of the tables of a lake: all folders with a log, also of tables that this build does not declare. */
export async function tableNames(lake: string): Promise<readonly string[]> {
  const entries = await readdir(lake, { withFileTypes: true })
  const names = entries
    .filter((entry) => !entry.isFile() && !/^[._]/.test(entry.name))
    .map(({ name }) => name)
  const logs = await Promise.all(names.map((name) => listLog(join(lake, name))))
  return names.filter((_, place) => logs[place]?.length).sort()
}

/** Reads the log of a table up to version `last`, by default the newest. Errors: `lake_damaged`, `lake_unsupported`. */
export async function readTableContent(
  lake: string,
  name: string,
  last = Number.POSITIVE_INFINITY,
): Promise<TableContent> {
  const table = join(lake, name)
  const files = new Map<string, NamedFile>()
  const digests: string[] = []
  let id = ''
  for (let version = 0; version <= last; version += 1) {
    const text = await readEntry(table, version)
    if (text === undefined) break
    digests.push(digestOf(text))
    for (const action of readEntryActions(text, logEntryPath(table, version))) {
      if ('metaData' in action) id = action.metaData.id
      if ('add' in action) {
        const { path, size, tags } = action.add
        const facts = namedFactsIn(tags)
        files.set(decodeURIComponent(path), { bytes: size, sha256: tags?.[SHA256], facts, isLive: true })
      }
      if ('remove' in action) {
        const path = decodeURIComponent(action.remove.path)
        const file = files.get(path)
        if (file !== undefined) files.set(path, { ...file, isLive: false })
      }
    }
  }
  const version = digests.length - 1
  if (version !== last) await refuseGap(table, version + 1)
  if (version < 0) fail('lake_damaged', `${logEntryPath(table, 0)} is missing; restore it from a copy.`)
  const log = hash('sha256', digests.join('\n'))
  return { name, id, version, digest: digests[version] ?? '', log, entries: digests, files }
}
