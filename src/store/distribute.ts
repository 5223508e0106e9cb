import type { FileFacts } from '../lake/file-writer.ts'
import type { SourceInFile } from '../lake/source.ts'

/** A written file and what it says when it is read back. */
export interface FileRead {
  readonly path: string
  readonly facts: FileFacts
}

/**
 * Which rows of which source are in which of several files that follow each other; what the first ones do not hold has
 * to be in the last one. Facts of a whole source (refused, retried) go to the first file that holds it.
 */
export function distribute(
  files: readonly FileRead[],
  sources: readonly SourceInFile[],
): readonly (FileRead & { readonly own: readonly SourceInFile[] })[] {
  let left = sources
  return files.map((file, index) => {
    const isLast = index === files.length - 1
    const held = new Map(file.facts.sources.map(({ source_file, rows }) => [source_file, rows]))
    const own = left.flatMap((source): readonly SourceInFile[] => {
      const rows = isLast ? source.rows : (held.get(source.name) ?? 0)
      return isLast || rows > 0 ? [{ ...source, rows }] : []
    })
    left = left
      .map((source) => {
        const taken = own.find(({ name }) => name === source.name)?.rows ?? 0
        const counted = taken > 0 ? { refused: 0, retried: [] } : {}
        return { ...source, ...counted, rows: source.rows - taken }
      })
      .filter(({ name, rows }) => rows > 0 || !own.some((taken) => taken.name === name))
    return { ...file, own }
  })
}
