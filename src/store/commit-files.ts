import type { Resource } from '../catalog/resource.ts'
import type { CommitLabel } from '../lake/append-entry.ts'
import type { DataFile } from '../lake/data-file.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import { sourceKey } from '../lake/source.ts'
import { amendTable, type StagedFile } from './amend-table.ts'

/** Sources that may take the place of what the table holds under their name, or under other names. */
export interface Replacement {
  /** Keys of what is replaced. */
  readonly keys: ReadonlySet<string>
  /** Whether the same bytes are replaced too; otherwise they are in already. */
  readonly evenSame: boolean
  /** Writes a live file anew without them; undefined when nothing of it is left. */
  rewrite(file: DataFile): Promise<StagedFile | undefined>
}

const noReplacement: Replacement = { keys: new Set(), evenSame: false, rewrite: async () => undefined }

/**
 * Adds staged files to a table, all or nothing.
 * Gives the sources that the table has already and that may not be replaced, as key and SHA-256: then nothing is
 * committed. Errors: those of `amendTable`.
 */
export async function commitFiles(
  lake: string,
  resource: Resource,
  staged: readonly StagedFile[],
  label: CommitLabel,
  replacement: Replacement = noReplacement,
): Promise<ReadonlyMap<string, string>> {
  let taken: ReadonlyMap<string, string> = new Map()
  await amendTable(lake, resource, label, async (table) => {
    const standing = compare(table, staged, replacement)
    taken = standing.taken
    if (taken.size > 0) return { stale: [], staged: [] }
    const rewritten: StagedFile[] = []
    for (const file of standing.stale) {
      const own = await replacement.rewrite(file)
      if (own !== undefined) rewritten.push(own)
    }
    return { stale: standing.stale, staged: [...rewritten, ...staged] }
  })
  return taken
}

interface Standing {
  /** Arriving sources that are in and stay, with their SHA-256. */
  readonly taken: ReadonlyMap<string, string>
  /** Files that hold sources to be replaced. */
  readonly stale: readonly DataFile[]
}

function compare(
  { files }: TableSnapshot,
  staged: readonly StagedFile[],
  { keys, evenSame }: Replacement,
): Standing {
  const arriving = new Map(staged.flatMap(({ sources }) => sources.map((own) => [sourceKey(own), own])))
  const taken = new Map<string, string>()
  const stale = new Set<DataFile>()
  for (const file of files) {
    for (const source of file.sources) {
      const key = sourceKey(source)
      const own = arriving.get(key)
      if (keys.has(key) && (evenSame || own?.sha256 !== source.sha256)) stale.add(file)
      else if (own !== undefined) taken.set(key, source.sha256)
    }
  }
  return { taken, stale: [...stale] }
}
