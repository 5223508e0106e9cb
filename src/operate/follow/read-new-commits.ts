import { fail } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { isDataFilePath, logEntryPath, tableFolder } from '../../lake/disk/layout.ts'
import { SHA256 } from '../../lake/facts/file-tags.ts'
import type { AddAction } from '../../lake/log/log-actions.ts'
import { readEntry } from '../../lake/log/log-entry.ts'
import { readEntryActions } from '../../lake/log/read-actions.ts'
import { commitTimeOf } from '../../lake/log/table-state.ts'
import { filesAddedBy } from '../../lake/snapshot/added-files.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { fromOrigin, type LocalCopy } from './bring-file.ts'
import type { LakeOrigin, OriginFile } from './origin.ts'

/** Limit on log text in memory. A log of 50,000 commits with one file each has half as much. */
const MOST_CHARACTERS = 2 ** 28

/** A commit that the copy lacks. */
export interface NewCommit {
  readonly resource: Resource
  readonly version: number
  readonly text: string
  /** Milliseconds since 1970; 0 if the entry has no time. */
  readonly committedAt: number
  readonly adds: readonly AddAction[]
  readonly removes: readonly string[]
}

/**
 * Reads the commits of a table after the local version. Also compares the entry of that version, because both logs must
 * have the same beginning.
 * Errors: those of the origin; `lake_damaged` if the logs differ or an entry is damaged; `lake_unsupported`.
 */
export async function readNewCommits(
  copy: LocalCopy,
  resource: Resource,
  newestHere: number,
  last: number,
): Promise<readonly NewCommit[]> {
  const { lake, origin } = copy
  const after = Math.max(newestHere, 0) - 1
  const texts: string[] = []
  let characters = 0
  await fromOrigin(copy, async (origin, signal) => {
    for await (const text of origin.entries(resource.name, after + texts.length, last, signal)) {
      characters += text.length
      if (characters > MOST_CHARACTERS) refuseLong(origin, resource)
      texts.push(text)
    }
  })
  if (texts.length < last - after)
    fail(
      'lake_damaged',
      `Version ${after + 1 + texts.length} of ${resource.name} is missing in ${origin.name}, which names version ${last}.`,
    )
  if (newestHere >= 0 && texts.shift() !== (await readEntry(tableFolder(lake, resource), newestHere)))
    fail(
      'lake_damaged',
      `Version ${newestHere} of ${resource.name} in ${lake} is not the one of ${origin.name}, which was restored or made anew, or is another lake; ` +
        'copy it into an empty folder.',
    )
  return texts.map((text, index) => readCommit(resource, last - texts.length + 1 + index, text, origin))
}

function refuseLong({ name }: LakeOrigin, { name: table }: Resource): never {
  const sentence = `${name} has more than ${MOST_CHARACTERS} characters of log entries of ${table} that are new here; restore a backup of it, and follow from there`
  throw new StoreFault('refused', sentence)
}

function readCommit(resource: Resource, version: number, text: string, origin: LakeOrigin): NewCommit {
  const path = logEntryPath(`${origin.name}/${resource.name}`, version)
  const actions = readEntryActions(text, path)
  const adds = actions.flatMap((action) => ('add' in action ? [action.add] : []))
  const strange = adds.find((add) => !isDataFilePath(add.path) || add.tags?.[SHA256] === undefined)
  if (strange !== undefined)
    fail(
      'lake_damaged',
      `${path} adds ${strange.path} without the tags of this program; it cannot be copied.`,
    )
  const removes = actions.flatMap((action) => ('remove' in action ? [action.remove.path] : []))
  return { resource, version, text, committedAt: commitTimeOf(actions), adds, removes }
}

/** Returns the data file of an `add` entry, and its facts file if the facts are not in the log. */
export function filesOfAdd({ name: table }: Resource, add: AddAction) {
  const { data, facts } = filesAddedBy(add)
  const dataFile: OriginFile = { table, ...data }
  return { data: dataFile, facts: facts && { table, ...facts } }
}
