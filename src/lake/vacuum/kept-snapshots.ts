import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { parseJsonAs, z } from '../../base/zod.ts'
import type { Resource } from '../../catalog/resource.ts'
import { withTablesAlone } from '../runs/tables-alone.ts'
import { lacksFilesNow } from '../snapshot/gone-files.ts'
import { Lake } from '../snapshot/lake.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { versionsOfId } from '../snapshot/snapshot-id.ts'
import type { KeptRecords } from './kept-records.ts'
import type { RemoteFiles } from './remote-files.ts'

const form = z.object({ snapshot: z.string(), since: z.iso.datetime(), reason: z.string() })

/** A snapshot whose files a vacuum spares. */
export interface KeptSnapshot extends z.infer<typeof form> {
  /** SHA-256 of the statement that needs it. */
  readonly id: string
}

/**
 * Reads the kept snapshots of a lake, the oldest first. Errors: `lake_damaged` for a record that is no JSON of this form,
 * or names a snapshot that the lake does not have; its files would be lost otherwise.
 */
export async function readKept(lake: string, records: KeptRecords): Promise<readonly KeptSnapshot[]> {
  const kept: KeptSnapshot[] = []
  const opened = new Lake(lake)
  for (const [id, text] of await records.read()) {
    const record = parseJsonAs(form, text)
    if (record === undefined) return refuse(id, 'cannot be read')
    if ((await opened.idOf(record.snapshot)) === undefined)
      return refuse(id, `names ${quoted(record.snapshot)}, which is not a snapshot of this lake`)
    kept.push({ id, ...record })
  }
  return kept.sort((a, b) => (a.since < b.since ? -1 : 1))
}

function refuse(id: string, fault: string): never {
  return fail(
    'lake_damaged',
    `The record _kept/${id}.json ${fault}. Make its statement again with --as-of and --keep, or remove the file if nobody needs it.`,
  )
}

/** Returns the kept versions of a table. */
export function keptVersions(kept: readonly KeptSnapshot[], resource: Resource): readonly number[] {
  return kept.flatMap(({ snapshot }) => versionsOfId(snapshot)?.get(resource) ?? [])
}

/**
 * Keeps a snapshot until `releaseSnapshot`. An equal record keeps its date. No vacuum of this folder runs meanwhile.
 * Errors: `gone` if its files have been vacuumed; those of `withTablesAlone` and of the store.
 */
export async function keepSnapshot(
  { lake, records, elsewhere }: KeepIn,
  at: Snapshot,
  { id, ...record }: Pick<KeptSnapshot, 'id' | 'since' | 'reason'>,
): Promise<void> {
  await withTablesAlone(lake, async () => {
    const earlier = parseJsonAs(form, (await records.read()).get(id) ?? '')
    const isKept = earlier?.snapshot === at.id
    if (!isKept) await records.write(id, `${JSON.stringify({ snapshot: at.id, ...record })}\n`)
    if (!(await lacksFilesNow(at, await new Lake(lake).latest(), undefined, elsewhere))) return
    if (!isKept) await records.remove(id)
    fail('gone', `The snapshot ${at.id} cannot be kept: its files were vacuumed.`)
  })
}

export interface KeepIn {
  readonly lake: string
  readonly records: KeptRecords
  /** Store of the data files of a copy. */
  readonly elsewhere: RemoteFiles | undefined
}

const SHORTEST = 8

/** Ends the keeping of a snapshot. Errors: `not_found` with the kept ones, if `digits` do not begin exactly one id. */
export async function releaseSnapshot(
  { lake, records }: Pick<KeepIn, 'lake' | 'records'>,
  digits: string,
): Promise<KeptSnapshot> {
  const kept = await readKept(lake, records)
  const named = kept.filter(({ id }) => digits.length >= SHORTEST && id.startsWith(digits))
  const [one] = named
  if (one === undefined || named.length > 1) {
    const ids = kept.map(({ id }) => id.slice(0, 12)).join(', ')
    return fail(
      'not_found',
      `No kept statement has the digest ${quoted(digits)}; ${ids === '' ? 'none is kept' : `use one of ${ids}`}.`,
    )
  }
  await records.remove(one.id)
  return one
}
