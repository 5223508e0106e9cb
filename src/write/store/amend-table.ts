import { mkdir, rm, stat, unlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fail } from '../../base/errors.ts'
import { partitionColumns } from '../../catalog/delta-schema.ts'
import type { Resource } from '../../catalog/resource.ts'
import {
  digestOf,
  errorCodeOf,
  hashFile,
  linkInto,
  makeFolder,
  syncFile,
  syncFolder,
  writeSynced,
} from '../../lake/disk/disk.ts'
import { factsFolder, factsPath, logFolder, runFolder, tableFolder } from '../../lake/disk/layout.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import { writeFactsFile } from '../../lake/facts/facts-file.ts'
import { type NamedFacts, writeTags } from '../../lake/facts/file-tags.ts'
import type { SourceInFile } from '../../lake/facts/source.ts'
import { appendEntry, type CommitLabel, type CreateEntry, createHere } from '../../lake/log/append-entry.ts'
import { readTableLog } from '../../lake/log/delta-log.ts'
import type { AddAction } from '../../lake/log/log-actions.ts'
import { refuseWriting } from '../../lake/log/table-format.ts'
import type { FileFacts } from '../../lake/ports/file-writer.ts'
import { identifyLog, withSign } from '../../lake/runs/commit-sign.ts'
import { writeStats } from '../../lake/snapshot/file-stats.ts'
import { absentTable, readTableSnapshot, type TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { Remote } from './remote.ts'

/** A written and verified Parquet file that no reader can see yet. */
export interface StagedFile {
  /** Path in the folder of its run; the path in the lake is the same. */
  readonly path: string
  readonly partition: string | null
  readonly facts: FileFacts
  readonly sources: readonly SourceInFile[]
}

/** Changes of one commit: files to remove and files to add. */
export interface Amendment {
  readonly stale: readonly DataFile[]
  readonly staged: readonly StagedFile[]
  /** False if the added files have exactly the rows of the removed ones; default: true. */
  readonly dataChange?: boolean
}

/** A file linked into its table, and its facts. */
interface Published {
  readonly add: AddAction
  readonly facts: NamedFacts
}

const MOST_ATTEMPTS = 100

/**
 * Changes a table in one atomic commit; returns false without changes. `amend` computes the changes from the newest
 * version, and again after a concurrent commit. A missing table has version -1. Data files and facts are synced,
 * linked and uploaded first; the log entry is the commit. Files of a failed commit are removed at the end of the run.
 * Errors: `lake_damaged`, `lake_unsupported`, `commit_conflict`, also after a restore.
 */
export async function amendTable(
  lake: string,
  resource: Resource,
  label: CommitLabel,
  amend: (table: TableSnapshot) => Promise<Amendment>,
  remote?: Remote,
): Promise<boolean> {
  const table = tableFolder(lake, resource)
  const create = creating(lake, resource, label, remote)
  const published = new Map<StagedFile, Published>()
  let logIdentity: string | undefined
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    logIdentity ??= await identifyLog(table)
    const log = await readTableLog(table)
    if (log !== undefined) refuseWriting(table, resource, log)
    const at = log === undefined ? absentTable(resource) : readTableSnapshot(lake, resource, log)
    const { stale, staged, dataChange = true } = await amend(at)
    await withdraw(lake, resource, published, staged, remote)
    if (stale.length + staged.length === 0) return false
    await makeFolder(logFolder(table))
    logIdentity ??= await identifyLog(table)
    const adds: AddAction[] = []
    for (const file of staged) {
      const publishedFile = published.get(file) ?? (await publish(lake, resource, file, label, remote))
      published.set(file, publishedFile)
      adds.push(publishedFile.add)
    }
    const gone = new Set(stale.map((file) => file.path))
    const removes = [...(log?.live ?? [])].flatMap(([path, add]) =>
      gone.has(join(table, path)) ? [add] : [],
    )
    const change = { removes, adds, dataChange }
    const append = () => appendEntry(resource, log, change, label, create)
    if (await withSign(lake, table, logIdentity, label.runId, append)) return true
  }
  await withdraw(lake, resource, published, [], remote)
  return fail(
    'commit_conflict',
    `Other commits to ${table} won ${MOST_ATTEMPTS} times; run the same command again.`,
  )
}

/**
 * Returns the function that creates the log entry. With a remote, the remote entry is the commit; a follower may
 * already have copied it here.
 */
function creating(lake: string, resource: Resource, { runId }: CommitLabel, remote?: Remote): CreateEntry {
  const here = createHere(lake, resource, runId)
  if (remote === undefined) return here
  return async (version, text) => {
    if (!(await remote.create(resource.name, version, text))) return false
    await here(version, text)
    await remote.announce()
    return true
  }
}

/** Links a staged file and its facts into the table, under their paths in the run's folder. */
async function publish(
  lake: string,
  resource: Resource,
  file: StagedFile,
  { runId }: CommitLabel,
  remote: Remote | undefined,
): Promise<Published> {
  const staging = tableFolder(runFolder(lake, runId), resource)
  const path = relative(staging, file.path)
  await syncFile(file.path)
  const sha256 = await hashFile(file.path)
  const { size, mtimeMs } = await stat(file.path)
  await linkInto(file.path, join(tableFolder(lake, resource), path))
  const facts = await publishFacts(tableFolder(lake, resource), staging, path, file)
  await remote?.send(resource.name, [path, factsPath('', facts.digest)])
  const add = {
    path,
    partitionValues: file.partition === null ? {} : { [partitionColumns(resource).join()]: file.partition },
    size,
    modificationTime: Math.floor(mtimeMs),
    dataChange: true,
    stats: writeStats(resource, file.facts),
    tags: writeTags(sha256, facts),
  }
  return { add, facts }
}

async function publishFacts(
  table: string,
  staging: string,
  path: string,
  { sources, facts: { chunks } }: StagedFile,
): Promise<NamedFacts> {
  const content = writeFactsFile(path, { sources, chunks })
  const digest = digestOf(content)
  // Never recreate the run's folder: a run that lost its folder must not commit.
  try {
    await mkdir(factsFolder(staging))
    await syncFolder(staging)
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
  }
  const staged = factsPath(staging, digest)
  await writeSynced(staged, content)
  await linkInto(staged, factsPath(table, digest))
  return { digest, bytes: content.length }
}

/** Removes the links of published files that are not in `staged`. */
async function withdraw(
  lake: string,
  resource: Resource,
  published: Map<StagedFile, Published>,
  staged: readonly StagedFile[],
  remote: Remote | undefined,
): Promise<void> {
  const table = tableFolder(lake, resource)
  for (const [file, { add, facts }] of published) {
    if (staged.includes(file)) continue
    await unlink(join(table, add.path))
    await rm(factsPath(table, facts.digest), { force: true })
    await remote?.withdraw(resource.name, [add.path, factsPath('', facts.digest)])
    published.delete(file)
  }
}
