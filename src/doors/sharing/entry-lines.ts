import { fail } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { logEntryPath, tableFolder } from '../../lake/disk/layout.ts'
import type { Action } from '../../lake/log/log-actions.ts'
import { readEntry } from '../../lake/log/log-entry.ts'
import { readEntryActions } from '../../lake/log/read-actions.ts'
import { filesAddedBy } from '../../lake/snapshot/added-files.ts'
import type { SharingContext } from './sharing-options.ts'
import { writeSignedAddress } from './signed-address.ts'

/** Versions above `after` up to `to`, included. */
export interface EntryRange {
  readonly after: number
  readonly to: number
}

/** Parts of file addresses. */
interface Addressing extends Pick<SharingContext, 'lake' | 'secret' | 'linkMs'> {
  readonly recipient: string
}

/** A reply ends once it reaches either limit; the client requests the rest. */
const MOST_CHARACTERS = 4_000_000
const MOST_ENTRIES = 1000

/**
 * Returns log entries as lines `{"version", "text", "files"}`. `text` is the entry byte for byte; `files`
 * has the signed address of each added file, by its path. Errors: `not_found` without such a version,
 * `lake_damaged`.
 */
export async function entryLines(
  resource: Resource,
  { after, to }: EntryRange,
  addressing: Addressing,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folder = tableFolder(addressing.lake, resource)
  const lines: string[] = []
  let characters = 0
  for (let version = after + 1; version <= to; version += 1) {
    if (characters >= MOST_CHARACTERS || lines.length === MOST_ENTRIES) break
    signal.throwIfAborted()
    const text = await readEntry(folder, version)
    if (text === undefined) break
    const files = addressesOf(resource, readEntryActions(text, logEntryPath(folder, version)), addressing)
    const line = `${JSON.stringify({ version, text, files })}\n`
    lines.push(line)
    characters += line.length
  }
  if (lines.length > 0) return lines
  return fail('not_found', `There is no version ${after + 1} of ${resource.name}.`)
}

function addressesOf(
  { name: table }: Resource,
  actions: readonly Action[],
  { secret, linkMs, recipient }: Addressing,
): Readonly<Record<string, string>> {
  const common = { table, recipient, expires: Date.now() + linkMs }
  const files = actions.flatMap((action) => {
    const { data, facts } = 'add' in action ? filesAddedBy(action.add) : {}
    return [data, facts].filter((file) => file !== undefined)
  })
  return Object.fromEntries(
    files.map((file) => [file.path, writeSignedAddress({ ...common, ...file }, secret)]),
  )
}
