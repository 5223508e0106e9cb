import type { Resource } from '../../catalog/resource.ts'
import type { SourceInFile } from '../../lake/facts/source.ts'
import type { FileFacts } from '../../lake/ports/file-writer.ts'
import type { StagedFile } from './amend-table.ts'
import type { Store } from './store.ts'
import { verifyStagedFile } from './verify-staged-file.ts'

/** A file in the folder of a run, and the sources whose rows were written to it. */
type WrittenFile = Omit<StagedFile, 'facts'>

/** A written file and what it says when it is read back. */
interface FileRead {
  readonly path: string
  readonly facts: FileFacts
}

/** Reads a written file back and compares it with its sources. Errors: `internal`. */
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
 * Splits a written file that is long, and stages the parts with the sources that each holds; `known` is what the whole
 * file says, if it was read back already. Errors: `internal`.
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
 * Which rows of which source are in which of several files that follow each other; what the first ones do not hold has
 * to be in the last one. Facts of a whole source (refused, retried) go to the first file that holds it.
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
