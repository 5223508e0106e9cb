import type { Resource } from '../catalog/resource.ts'
import type { FileFacts } from '../lake/file-writer.ts'
import type { StagedFile } from './amend-table.ts'
import { distribute, type FileRead } from './distribute.ts'
import type { Store } from './store.ts'
import { verify } from './verify.ts'

/** A file in the folder of a run, and the sources whose rows were written to it. */
type WrittenFile = Omit<StagedFile, 'facts'>

/** Reads a written file back and compares it with its sources. Errors: `internal`. */
export async function stageFile(
  { writer }: Store,
  resource: Resource,
  { path, partition, sources }: WrittenFile,
): Promise<StagedFile> {
  const facts = await writer.inspect(resource, path)
  verify(path, facts, sources)
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
  known?: FileFacts,
): Promise<readonly StagedFile[]> {
  const parts: FileRead[] = []
  for (const path of await writer.split(resource, whole, () => run.newDataFile(resource, partition))) {
    const facts = path === whole ? known : undefined
    parts.push({ path, facts: facts ?? (await writer.inspect(resource, path)) })
  }
  return distribute(parts, sources).map(({ path, facts, own }) => {
    verify(path, facts, own)
    return { path, partition, facts, sources: own }
  })
}
