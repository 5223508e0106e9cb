import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListFile } from '../answers/sql/file-views.ts'
import { type Endings, SqlProcesses } from '../answers/sql/process/sql-processes.ts'
import { StatementRunner } from '../answers/sql/process/statement-runner.ts'
import { filesOfSnapshot } from '../answers/sql/snapshot-files.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { fetcherOf } from './copies.ts'
import { openSpillFolder, stateFolderOf } from './folders.ts'
import type { Settings } from './settings/settings.ts'

/** Runs SELECT statements of users in a separate process. */
export interface SqlService {
  /**
   * Opens a session over one snapshot; the caller closes it. It spills to the state folder, and fails if it must spill
   * and cannot.
   */
  readonly open: (at: Snapshot) => Promise<StatementRunner>
  /** Opens a session over exported files of a folder; the caller closes it. */
  readonly openFiles: (folder: string, files: readonly ListFile[]) => Promise<StatementRunner>
  /** Number of processes that ended unexpectedly, by reason. */
  readonly endings: () => Endings
  /** Ends the process. */
  readonly close: () => Promise<void>
}

/** SQL for clients: half of the engine's memory, and the same limit on spilling. */
export function servedSql(settings: Settings, report?: (sentence: string) => void): SqlService {
  const { engine_memory_mb: memoryMb, engine_spill_mb: spillMb } = settings
  return openSql(settings, { memoryMb: Math.max(64, memoryMb >> 1), spillMb, keepsSpare: true, report })
}

/** SQL for the user of the program: all of the engine's memory, and no limit on spilling. */
export function ownSql(settings: Settings): SqlService {
  return openSql(settings, { memoryMb: settings.engine_memory_mb, keepsSpare: false })
}

interface SqlOptions {
  readonly memoryMb: number
  readonly spillMb?: number
  readonly keepsSpare: boolean
  readonly report?: ((sentence: string) => void) | undefined
}

function openSql(settings: Settings, { memoryMb, spillMb, keepsSpare, report }: SqlOptions): SqlService {
  const { lake, lake_copy_mb: copyMb, engine_threads: threads } = settings
  const processes = new SqlProcesses({ memoryMb, keepsSpare, report })
  return {
    async open(at) {
      await bringAll(settings, at)
      const spill = await openSpillFolder(join(stateFolderOf(settings), 'spill'))
      const request = {
        ...{ lake, copyMb, memoryMb, threads, spillMb },
        ...{ snapshot: filesOfSnapshot(at), scratchFolder: spill.folder },
      }
      return new StatementRunner({ processes, request, close: () => spill.close() })
    },
    async openFiles(folder, listFiles) {
      // There may be no lake with a state folder.
      const scratchFolder = await mkdtemp(join(tmpdir(), 'ledgerlake-sql-'))
      const request = {
        ...{ lake: folder, copyMb, memoryMb, threads, spillMb, listFiles, scratchFolder },
        snapshot: { id: '', tables: {} },
      }
      const close = () => rm(scratchFolder, { recursive: true, force: true })
      return new StatementRunner({ processes, request, close })
    },
    endings: () => processes.endings,
    close: () => processes.close(),
  }
}

/** Downloads all missing files: DuckDB requires every file of a view, even if a statement does not read it. */
async function bringAll(settings: Settings, at: Snapshot): Promise<void> {
  const bring = fetcherOf(settings)
  if (bring === undefined) return
  for (const file of at.tables.flatMap(({ files }) => files)) if (!existsSync(file.path)) await bring(file)
}
