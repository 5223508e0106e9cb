import type { Resource } from '../../catalog/resource.ts'
import type { SourceInFile } from '../../lake/facts/source.ts'
import type { FileFacts } from '../../lake/ports/file-writer.ts'
import type { StagedFile } from './amend-table.ts'
import type { Store } from './store.ts'
import { verifyStagedFile } from './verify-staged-file.ts'

/** A file in the folder of a run, and the sources of its rows. */
type WrittenFile = Omit<StagedFile, 'facts'>

/** A written file and the facts read back from it. */
interface FileRead {
  readonly path: string
  readonly facts: FileFacts
}

/** Inspects a written file and compares it with its sources. Errors: `internal`. */
export async function stageFile(
  { writer }: Store,
  resource: Resource,
  { path, partition, sources }: WrittenFile,
): Promise<StagedFile> {
  const facts = await writer.inspect(resource, path)
  verifyStagedFile(path, facts, sources)
  return { path, partition, facts, sources }
}

/**
 * Splits a long file and verifies its parts. `wholeFacts` are the facts of the file, if it was inspected.
 * Errors: `internal`.
 */
export async function stageParts(
  { writer, run }: Store,
  resource: Resource,
  { path: whole, partition, sources }: WrittenFile,
  wholeFacts?: FileFacts,
): Promise<readonly StagedFile[]> {
  const parts: FileRead[] = []
  for (const path of await writer.split(resource, whole, () => run.newDataFile(resource, partition))) {
    const facts = path === whole ? wholeFacts : undefined
    parts.push({ path, facts: facts ?? (await writer.inspect(resource, path)) })
  }
  return distributeSources(parts, sources).map(({ path, facts, own }) => {
    verifyStagedFile(path, facts, own)
    return { path, partition, facts, sources: own }
  })
}

/**
 * Divides the sources over consecutive files. Rows that the first files lack must be in the last one. Facts of a whole
 * source (refused, retried) go to the first file with its rows.
 */
function distributeSources(
  files: readonly FileRead[],
  sources: readonly SourceInFile[],
): readonly (FileRead & { readonly own: readonly SourceInFile[] })[] {
  let remaining = sources
  return files.map((file, index) => {
    const isLast = index === files.length - 1
    const held = new Map(file.facts.sources.map(({ source_file, rows }) => [source_file, rows]))
    const inFile = remaining.flatMap((source): readonly SourceInFile[] => {
      const rows = isLast ? source.rows : (held.get(source.name) ?? 0)
      return isLast || rows > 0 ? [{ ...source, rows }] : []
    })
    remaining = remaining
      .map((source) => {
        const rowsInFile = inFile.find(({ name }) => name === source.name)?.rows ?? 0
        const counted = rowsInFile > 0 ? { refused: 0, retried: [] } : {}
        return { ...source, ...counted, rows: source.rows - rowsInFile }
      })
      .filter(({ name, rows }) => rows > 0 || !inFile.some((source) => source.name === name))
    return { ...file, own: inFile }
  })
}
