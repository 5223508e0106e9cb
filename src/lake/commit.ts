import { randomUUID } from 'node:crypto'
import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../catalog/resource.ts'
import { fail } from '../errors.ts'
import { type Action, type AddAction, appendEntry, type CommitLabel, readTableLog } from './delta-log.ts'
import { hashFile, moveInto, syncFile } from './disk.ts'
import { writeStats } from './file-stats.ts'
import { readTags, writeTags } from './file-tags.ts'
import { dataFilePath, tableFolder } from './layout.ts'
import type { FileFacts } from './row-writer.ts'
import { type SourceInFile, sourceKey } from './source.ts'

/** A written and verified Parquet file that no reader can see yet. */
export interface StagedFile {
  readonly path: string
  readonly month: string | null
  readonly facts: FileFacts
  readonly sources: readonly SourceInFile[]
}

const MOST_ATTEMPTS = 100

/**
 * Makes staged files part of a table, all or nothing.
 * Data files are moved and synced first; the log entry comes last, and until it is there nothing has happened.
 * Gives the keys of sources that another commit brought in meanwhile: then nothing is committed.
 */
export async function commitFiles(
  lake: string,
  resource: Resource,
  staged: readonly StagedFile[],
  label: CommitLabel,
): Promise<ReadonlySet<string>> {
  const table = tableFolder(lake, resource)
  const wanted = new Set(staged.flatMap((file) => file.sources.map(sourceKey)))
  const state = await readTableState(table, wanted)
  if (state.taken.size > 0) return state.taken
  const adds: AddAction[] = []
  for (const file of staged) adds.push(await publish(resource, table, file))
  return await appendAdds(table, resource, adds, wanted, label)
}

/** Tries again on top of every commit that wins the version. */
async function appendAdds(
  table: string,
  resource: Resource,
  adds: readonly AddAction[],
  wanted: ReadonlySet<string>,
  label: CommitLabel,
): Promise<ReadonlySet<string>> {
  const actions = adds.map((add): Action => ({ add }))
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const state = await readTableState(table, wanted).catch(async (error) => {
      await withdraw(table, adds)
      throw error
    })
    if (state.taken.size > 0) {
      await withdraw(table, adds)
      return state.taken
    }
    if (await appendEntry(table, state.version + 1, resource, actions, label)) return state.taken
  }
  await withdraw(table, adds)
  return fail(
    'commit_conflict',
    `Other commits to ${table} won ${MOST_ATTEMPTS} times; run the same command again.`,
  )
}

/** The newest version, and which of the wanted sources are in already. Errors: `lake_damaged`. */
async function readTableState(
  table: string,
  wanted: ReadonlySet<string>,
): Promise<{ version: number; taken: ReadonlySet<string> }> {
  const log = await readTableLog(table)
  if (log?.writerRefusal !== undefined) {
    fail('lake_damaged', `${log.writerRefusal} asks for a newer Delta writer; this program writes version 2.`)
  }
  const present = [...(log?.live.values() ?? [])].flatMap((add) => readTags(add.tags, add.path).sources)
  const taken = new Set(present.map(sourceKey).filter((key) => wanted.has(key)))
  return { version: log?.version ?? -1, taken }
}

async function publish(resource: Resource, table: string, file: StagedFile): Promise<AddAction> {
  const path = dataFilePath(file.month, randomUUID())
  await syncFile(file.path)
  const sha256 = await hashFile(file.path)
  const { size, mtimeMs } = await stat(file.path)
  await moveInto(file.path, join(table, path))
  return {
    path,
    partitionValues: file.month === null ? {} : { month: file.month },
    size,
    modificationTime: Math.floor(mtimeMs),
    dataChange: true,
    stats: writeStats(resource, file.facts),
    tags: writeTags({ sha256, sources: file.sources }),
  }
}

async function withdraw(table: string, adds: readonly AddAction[]): Promise<void> {
  for (const add of adds) await unlink(join(table, add.path))
}
