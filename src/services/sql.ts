import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScratchFolder } from '../answers/sql/process/sql-process.ts'
import { type Endings, SqlProcesses } from '../answers/sql/process/sql-processes.ts'
import { StatementRunner } from '../answers/sql/process/statement-runner.ts'
import type { ListFile } from '../answers/sql/views/file-views.ts'
import { filesOfSnapshot, type SnapshotFiles } from '../answers/sql/views/snapshot-files.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { fetcherOf } from './copies.ts'
import { openSpillFolder, stateFolderOf } from './folders.ts'
import type { Settings } from './settings/settings.ts'

/** Runs SELECT statements of users in a separate process. */
export interface SqlService {
  /**
   * Opens a session over one snapshot; the caller closes it. Waits while as many are open as statements may run at once;
   * the client that has the fewest is next. It spills to the state folder, and fails if it must spill and cannot. Errors: the reason of the signal.
   */
  readonly open: (at: Snapshot, signal?: AbortSignal, client?: string) => Promise<StatementRunner>
  /** Opens a session over exported files of a folder; the caller closes it. */
  readonly openFiles: (folder: string, files: readonly ListFile[]) => Promise<StatementRunner>
  /** Number of processes that ended unexpectedly, by reason. */
  readonly endings: () => Endings
  /** Ends the process. */
  readonly close: () => Promise<void>
}

/** Memory of a process, unless the setting names a number of processes. */
const PROCESS_MB = 256
const MOST_PROCESSES = 4
/** One statement must not hold up all others; more than one for each thread only slow each other down. */
const LEAST_PROCESSES = 2

/** SQL for clients: half of the engine's memory, divided among the processes, and the same limit on spilling. */
export function servedSql(settings: Settings, report?: (sentence: string) => void): SqlService {
  const {
    engine_memory_mb: engineMb,
    engine_spill_mb: engineSpillMb,
    sql_processes: chosen,
    sql_when_idle: whenIdle,
  } = settings
  const wholeMb = Math.max(64, engineMb >> 1)
  const worthwhile = Math.min(MOST_PROCESSES, Math.max(LEAST_PROCESSES, settings.engine_threads))
  const fitting = Math.max(1, Math.min(worthwhile, Math.floor(wholeMb / PROCESS_MB)))
  const mostAtOnce = chosen === 0 ? fitting : chosen
  const memoryMb = Math.max(64, Math.floor(wholeMb / mostAtOnce))
  const spillMb = Math.floor(engineSpillMb / mostAtOnce)
  return openSql(settings, { memoryMb, spillMb, mostAtOnce, keepsSpare: true, whenIdle, report })
}

/** SQL for the user of the program: all of the engine's memory, and no limit on spilling. */
export function ownSql(settings: Settings): SqlService {
  const memoryMb = settings.engine_memory_mb
  return openSql(settings, {
    memoryMb,
    mostAtOnce: Number.POSITIVE_INFINITY,
    keepsSpare: false,
    whenIdle: false,
  })
}

interface SqlOptions {
  readonly memoryMb: number
  readonly spillMb?: number
  readonly mostAtOnce: number
  readonly keepsSpare: boolean
  readonly whenIdle: boolean
  readonly report?: ((sentence: string) => void) | undefined
}

function openSql(settings: Settings, options: SqlOptions): SqlService {
  const { lake, lake_copy_mb: copyMb, engine_threads: threads } = settings
  const { memoryMb, spillMb } = options
  const limits = { copyMb, memoryMb, threads, spillMb }
  const processes = new SqlProcesses({
    ...options,
    openScratch: () => openSpillFolder(join(stateFolderOf(settings), 'spill')),
  })
  // There may be no lake with a state folder.
  const filesAt = new WeakMap<Snapshot, SnapshotFiles>()
  const processesOfFiles = new SqlProcesses({ ...options, openScratch: openTemporaryFolder })
  return {
    async open(at, signal, client) {
      await bringAll(settings, at)
      const snapshot = filesAt.get(at) ?? filesOfSnapshot(at)
      filesAt.set(at, snapshot)
      const request = { key: at.id, lake, snapshot, ...limits }
      return new StatementRunner({ processes, request, endTurn: await processes.turn(signal, client) })
    },
    async openFiles(folder, listFiles) {
      const snapshot = { id: '', tables: {}, sums: {} }
      const request = { key: folder, lake: folder, snapshot, listFiles, ...limits }
      const endTurn = await processesOfFiles.turn()
      return new StatementRunner({ processes: processesOfFiles, request, endTurn })
    },
    endings: () => processes.endings,
    async close() {
      await Promise.all([processes.close(), processesOfFiles.close()])
    },
  }
}

async function openTemporaryFolder(): Promise<ScratchFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerlake-sql-'))
  return { folder, close: () => rm(folder, { recursive: true, force: true }) }
}

/** Downloads all missing files: DuckDB requires every file of a view, even if a statement does not read it. */
async function bringAll(settings: Settings, at: Snapshot): Promise<void> {
  const bring = fetcherOf(settings)
  if (bring === undefined) return
  for (const file of at.tables.flatMap(({ files }) => files)) if (!existsSync(file.path)) await bring(file)
}
