import { count, z } from '../../base/zod.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import { versionsOfId } from '../../lake/snapshot/snapshot-id.ts'
import { StoreFault } from '../object-store/object-store.ts'

/** Tables of a lake at one moment, by name. The id of the snapshot repeats their versions, which shows a damaged reply. */
const servedLake = z
  .object({ snapshot: z.string(), tables: z.record(z.string(), count) })
  .refine(({ snapshot, tables }) => hasVersions(snapshot, tables))

/** A log entry as sent, with signed addresses of its added files, by path within the table. */
const sentEntry = z.object({ version: count, text: z.string(), files: z.record(z.string(), z.string()) })

export type SentEntry = z.infer<typeof sentEntry>

/** Versions of all tables at one moment, and the snapshot's id. */
export interface ServedLake {
  readonly snapshot: string
  readonly versions: ReadonlyMap<string, number>
}

/**
 * Parses `{"snapshot", "tables"}`. `name` is the sender in messages.
 * Errors: `StoreFault`: `passing` for any other text, `refused` for a table that this build does not declare.
 */
export function readServedLake(text: string, name: string): ServedLake {
  const { snapshot, tables } = read(servedLake, text, name)
  const unknown = Object.keys(tables).find((table) => resourceNamed(table) === undefined)
  if (unknown === undefined) return { snapshot, versions: new Map(Object.entries(tables)) }
  const sentence = `${name} has the table ${unknown}, which this version does not know; install the one that runs there`
  throw new StoreFault('refused', sentence)
}

function hasVersions(snapshot: string, tables: Readonly<Record<string, number>>): boolean {
  const names = Object.keys(tables).map((name) => ({ name }))
  const versions = versionsOfId(snapshot, names) ?? new Map()
  return names.every((table) => versions.get(table) === tables[table.name])
}

/** Parses one line of the log. Errors: `StoreFault`, which may pass. */
export function readSentEntry(line: string, name: string): SentEntry {
  return read(sentEntry, line, name)
}

function read<T>(schema: z.ZodType<T>, text: string, name: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    const begin = JSON.stringify(text.slice(0, 60))
    throw new StoreFault(
      'passing',
      `${name} answers ${begin}, which is cut or no reply of a ledgerlake`,
      cause,
    )
  }
}
