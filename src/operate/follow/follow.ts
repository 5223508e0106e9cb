import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { forEachConcurrent } from '../../base/for-each-concurrent.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { createIfAbsent, makeFolder } from '../../lake/disk/disk.ts'
import { logEntryPath, logFolder, tableFolder } from '../../lake/disk/layout.ts'
import { type CheckpointWriter, checkpointIfDue } from '../../lake/log/checkpoint.ts'
import { newestEntry, readEntry } from '../../lake/log/log-entry.ts'
import { COMMITS_PER_CHECKPOINT } from '../../lake/log/table-format.ts'
import type { OpenWriter } from '../../lake/ports/open-writer.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import { openStagingRun, type StagingRun } from '../../write/store/staging.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { bringFile, fromOrigin, type LocalCopy, originFileOf, removeParts } from './bring-file.ts'
import { filesOfAdd, type NewCommit, readNewCommits } from './read-new-commits.ts'

export interface FollowRequest extends LocalCopy {
  /** Downloads data files before their commits; otherwise at the first read. Facts are always downloaded first. */
  readonly areFilesBrought: boolean
  readonly openWriter: OpenWriter<CheckpointWriter>
  readonly signal: AbortSignal
  readonly onProgress?: (followed: FollowResult) => void
}

/** Commits and files that were copied. */
export interface FollowResult {
  readonly commits: number
  readonly files: number
  readonly bytes: number
}

const AT_ONCE = 8
const nothing: FollowResult = { commits: 0, files: 0, bytes: 0 }

/**
 * Copies new commits of the origin: first their files, then their log entries, byte for byte, by commit time. The next
 * call resumes an interrupted one.
 * Errors: `StoreFault`; `lake_damaged` if the two logs differ or a file has another digest; `lake_unwritable`.
 */
export async function follow(request: FollowRequest): Promise<FollowResult> {
  const { lake } = request
  const versions = await fromOrigin(request, (origin, signal) => origin.versions(signal))
  const commits: NewCommit[] = []
  const begun = new Set<Resource>()
  for (const resource of resources) {
    const last = versions.get(resource.name) ?? -1
    const newestHere = await newestEntry(tableFolder(lake, resource))
    if (newestHere >= 0) begun.add(resource)
    if (last === newestHere) continue
    if (last < newestHere)
      await readNewCommits(request, resource, newestHere, newestHere).catch(refuseShorter(request, resource))
    else commits.push(...(await readNewCommits(request, resource, newestHere, last)))
  }
  if (commits.length === 0) return nothing
  const files = await bringAll(request, commits, begun)
  const run = await openStagingRun(lake)
  try {
    // The sort is stable, and commit times of a table never decrease.
    for (const commit of commits.sort((a, b) => a.committedAt - b.committedAt))
      await link(request, commit, run)
    await writeCheckpoints(request, commits, run)
  } finally {
    await run.close()
  }
  return { commits: commits.length, ...files }
}

/** The origin may report an older version than the copy has. Throws only if it lacks the entry of the newer version. */
const refuseShorter =
  ({ lake, origin }: LocalCopy, { name }: Resource) =>
  (error: unknown): never => {
    if (!(error instanceof StoreFault && error.kind === 'changed')) throw error
    return fail(
      'lake_damaged',
      `${origin.name} does not have the newest version of ${name} in ${lake}; it was restored from an older copy. Copy it into an empty folder.`,
      { cause: error },
    )
  }

/**
 * Downloads the files of the commits. A file that a later commit removes may be gone at the origin; for a new table it
 * is not downloaded, since nothing reads it.
 * Facts follow their data file: a concurrent vacuum removes facts without one.
 */
async function bringAll(
  request: FollowRequest,
  commits: readonly NewCommit[],
  begun: ReadonlySet<Resource>,
): Promise<Omit<FollowResult, 'commits'>> {
  const removed = new Set(
    commits.flatMap(({ resource, removes }) => removes.map((path) => join(resource.name, path))),
  )
  const filesByAdd = commits.flatMap(({ resource, adds }) =>
    adds.map((add) => {
      const mayBeGone = removed.has(join(resource.name, add.path))
      const isRead = request.areFilesBrought && (!mayBeGone || begun.has(resource))
      const { data, facts } = filesOfAdd(resource, add)
      return { files: [...(isRead ? [data] : []), ...(facts ? [facts] : [])], mayBeGone }
    }),
  )
  const total = { files: 0, bytes: 0 }
  await forEachConcurrent(filesByAdd, AT_ONCE, async ({ files, mayBeGone }) => {
    for (const file of files) {
      const bytes = await bringFile(request, file).catch(ignoreMissing(mayBeGone))
      total.bytes += bytes
      if (bytes > 0) total.files += 1
      request.onProgress?.({ commits: 0, ...total })
    }
  })
  await removeParts(request.lake)
  return total
}

const ignoreMissing = (mayBeGone: boolean) => (error: unknown) => {
  if (mayBeGone && error instanceof StoreFault && error.kind === 'changed') return 0
  throw error
}

/** Downloads all missing data files of the newest snapshot and of older ones. Returns their number. Errors: those of `bringFile`. */
export async function bringLive(copy: LocalCopy, older: readonly string[] = []): Promise<number> {
  const lake = new Lake(copy.lake)
  const snapshots = [await lake.latest(), ...(await Promise.all(older.map((id) => lake.at(id))))]
  let brought = 0
  const files = snapshots.flatMap((snapshot) => snapshot?.tables ?? []).flatMap((table) => table.files)
  const live = new Map(files.map((file) => [file.path, file])).values()
  await forEachConcurrent(live, AT_ONCE, async (file) => {
    if ((await bringFile(copy, originFileOf(copy.lake, file))) > 0) brought += 1
  })
  return brought
}

/** Creates a log entry. Another process may have created the same one. */
async function link(
  { lake, origin }: LocalCopy,
  { resource, version, text }: NewCommit,
  run: StagingRun,
): Promise<void> {
  const table = tableFolder(lake, resource)
  await makeFolder(logFolder(table))
  if (await createIfAbsent(logEntryPath(table, version), text, run.folder)) return
  if ((await readEntry(table, version)) !== text)
    fail(
      'lake_damaged',
      `Version ${version} of ${resource.name} in ${lake} is not the one of ${origin.name}; copy it into an empty folder.`,
    )
}

/** Writes due checkpoints. No reader waits for them, so an abort only prevents the start. */
async function writeCheckpoints(
  { lake, openWriter, signal }: FollowRequest,
  commits: readonly NewCommit[],
  run: StagingRun,
): Promise<void> {
  const due = new Set(
    commits.filter(({ version }) => version % COMMITS_PER_CHECKPOINT === 0).map(({ resource }) => resource),
  )
  if (due.size === 0 || signal.aborted) return
  const writer = await openWriter(run.folder)
  try {
    for (const resource of due) await checkpointIfDue(lake, resource, writer, run.folder)
  } finally {
    await writer.close()
  }
}
