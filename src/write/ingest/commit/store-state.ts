import { unlink } from 'node:fs/promises'
import { fail } from '../../../base/errors.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { type SourceInFile, sourceKey } from '../../../lake/facts/source.ts'
import type { FileFacts } from '../../../lake/ports/file-writer.ts'
import type { SourceInTable, TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { IngestWriter, StateFacts } from '../../ports/ingest-writer.ts'
import type { Stage } from '../../ports/stage.ts'
import type { Amendment, StagedFile } from '../../store/amend-table.ts'
import { refuseDamaged } from '../../store/refuse-damaged.ts'
import { stageFile, stageParts } from '../../store/stage-files.ts'
import { commitAmendment, type Store } from '../../store/store.ts'
import type { DecodedArtifact } from '../decode/decode-artifact.ts'
import { findHeldSources } from './find-held-sources.ts'

/**
 * Upserts staged rows into a state table in one commit; of rows with one key, that of the later source wins. With
 * `replaceAll` the sources become the whole table. Returns key and SHA-256 of sources that another program committed
 * meanwhile; these are skipped.
 * Errors: `lake_damaged`, `commit_conflict`, `internal` when the written rows differ.
 */
export async function storeState(
  store: Store<IngestWriter>,
  resource: Resource,
  stage: Stage,
  decoded: readonly DecodedArtifact[],
  replaceAll: boolean,
): Promise<ReadonlyMap<string, string>> {
  let heldSources: ReadonlyMap<string, string> = new Map()

  async function amend(table: TableSnapshot): Promise<Amendment> {
    heldSources = replaceAll ? new Map() : findHeldSources(table, decoded)
    const arriving = decoded.filter(({ source }) => !heldSources.has(sourceKey(source)))
    if (arriving.length === 0) return { stale: [], staged: [] }
    return { stale: table.files, staged: await stageState(store, table, stage, arriving, replaceAll) }
  }

  await commitAmendment(store, resource, 'UPSERT', amend)
  return heldSources
}

/** Writes and verifies the whole table after the upsert. */
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

function arrivedSource({ source, statistics, refused, retried = [] }: DecodedArtifact): SourceInFile {
  return { ...source, rows: statistics.rows, refused: refused.length, groups: [], retried }
}

function keptSource({ kind, name, sha256, rows, refused, retried }: SourceInTable): SourceInFile {
  return { kind, name, sha256, rows, refused: refused + retried.length, groups: [], retried }
}

/** Sources without rows stay listed, so a rerun skips them. */
function rowsLeft(sources: readonly SourceInFile[], facts: FileFacts): readonly SourceInFile[] {
  const rowsOf = new Map(facts.sources.map(({ source_file, rows }) => [source_file, rows]))
  return sources.map((source) => ({ ...source, rows: rowsOf.get(source.name) ?? 0 }))
}

/** Checks that keys are unique and sorted, and that every arriving key is there. Errors: `internal`. */
function verifyState(path: string, { rows }: FileFacts, state: StateFacts, expectedRows: number): void {
  const { keys, missing, misplaced } = state
  if (rows === expectedRows && keys === rows && missing === 0 && misplaced === 0) return
  fail(
    'internal',
    `${path} does not hold what was written to it: ${rows} rows of ${keys} keys where ${expectedRows} were written, ` +
      `${missing} of those that arrived are missing and ${misplaced} are out of order; check the disk and ingest again.`,
  )
}
