import { unlink } from 'node:fs/promises'
import { fail } from '../../../base/errors.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type SourceInFile, sourceKey } from '../../../lake/facts/source.ts'
import type { FileFacts } from '../../../lake/ports/file-writer.ts'
import type { IngestWriter, StateFacts } from '../../../lake/ports/ingest-writer.ts'
import type { Stage } from '../../../lake/ports/stage.ts'
import type { SourceInTable, TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { Amendment, StagedFile } from '../../store/amend-table.ts'
import { refuseDamaged } from '../../store/sound-files.ts'
import { stageFile, stageParts } from '../../store/stage-files.ts'
import { amendIn, type Store } from '../../store/store.ts'
import type { DecodedArtifact } from '../decode/decode-artifact.ts'
import { takenSources } from './taken-sources.ts'

/**
 * Puts the staged rows of sources into a state table in one commit: a row takes the place of the row of its key, and of
 * rows with one key that of the later source wins. With `replaceAll` the sources become the whole of the table.
 * Gives the sources that another program brought in meanwhile, as key and SHA-256; they were left out.
 * Errors: `lake_damaged`, `commit_conflict`, `internal` when what is read back is not what was to be written.
 */
export async function storeState(
  store: Store<IngestWriter>,
  resource: Resource,
  stage: Stage,
  decoded: readonly DecodedArtifact[],
  replaceAll: boolean,
): Promise<ReadonlyMap<string, string>> {
  let taken: ReadonlyMap<string, string> = new Map()

  async function amend(table: TableSnapshot): Promise<Amendment> {
    taken = replaceAll ? new Map() : takenSources(table, decoded)
    const wanted = decoded.filter(({ source }) => !taken.has(sourceKey(source)))
    if (wanted.length === 0) return { stale: [], staged: [] }
    return { stale: table.files, staged: await stageState(store, table, stage, wanted, replaceAll) }
  }

  await amendIn(store, resource, 'UPSERT', amend)
  return taken
}

/** Verified files: all that the table holds after the commit. */
async function stageState(
  store: Store<IngestWriter>,
  table: TableSnapshot,
  stage: Stage,
  decoded: readonly DecodedArtifact[],
  replaceAll: boolean,
): Promise<readonly StagedFile[]> {
  const { writer, run } = store
  const { resource } = table
  const names = decoded.map(({ source }) => source.name)
  const arriving = await run.newDataFile(resource, null)
  await stage.write(arriving, new Map(decoded.map(({ index, source }) => [index, source.name])), null)
  const arrived = decoded.map(arrivedSource)
  await stageFile(store, resource, { path: arriving, partition: null, sources: arrived })

  const path = await run.newDataFile(resource, null)
  const files = replaceAll ? [] : table.files
  await refuseDamaged(files, store.remote)
  const rows = await writer.upsert(resource, { files, without: names, arriving, sources: names, to: path })
  const facts = await writer.inspect(resource, path)
  verifyState(path, facts, await writer.readStateFacts(resource, path, arriving, names), rows)
  await unlink(arriving)
  const old = replaceAll ? [] : [...table.sources.values()].filter(({ name }) => !names.includes(name))
  const sources = rowsLeft([...old.map(keptSource), ...arrived], facts)
  return await stageParts(store, resource, { path, partition: null, sources }, facts)
}

function arrivedSource({ source, statistics, refused }: DecodedArtifact): SourceInFile {
  return { ...source, rows: statistics.rows, refused: refused.length, groups: [] }
}

function keptSource({ kind, name, sha256, rows, refused, retried }: SourceInTable): SourceInFile {
  return { kind, name, sha256, rows, refused: refused + retried.length, groups: [], retried }
}

/** Every source stays, also one of which no row is left: so a rerun changes nothing. */
function rowsLeft(sources: readonly SourceInFile[], facts: FileFacts): readonly SourceInFile[] {
  const rowsOf = new Map(facts.sources.map(({ source_file, rows }) => [source_file, rows]))
  return sources.map((source) => ({ ...source, rows: rowsOf.get(source.name) ?? 0 }))
}

/** One row a key, in order, none lost, and the last of each that arrived. */
function verifyState(path: string, { rows }: FileFacts, state: StateFacts, wanted: number): void {
  const { keys, missing, misplaced } = state
  if (rows === wanted && keys === rows && missing === 0 && misplaced === 0) return
  fail(
    'internal',
    `${path} does not hold what was written to it: ${rows} rows of ${keys} keys where ${wanted} were written, ` +
      `${missing} of those that arrived are missing and ${misplaced} are out of order; check the disk and ingest again.`,
  )
}
