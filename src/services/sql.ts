import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFault } from '../engine/duckdb/failures.ts'
import { ServiceError } from '../errors.ts'
import { openCheckedFiles } from '../integrity/checked-files.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Settings } from '../settings.ts'
import { SqlSession } from '../sql/sql-session.ts'
import { bringerOf } from './copies.ts'
import { openSpillFolder, stateFolderOf } from './folders.ts'

/** Opens sessions for statements of callers: each has half of the memory of the engine beside it, and spills no more than it. */
export function servedSql(settings: Settings): (at: Snapshot) => Promise<SqlSession> {
  const { engine_memory_mb: memoryMb, engine_spill_mb: spillMb } = settings
  const own = { ...settings, engine_memory_mb: Math.max(64, memoryMb >> 1) }
  return (at) => openSql(own, at, spillMb)
}

/** A session for SELECTs of users over one snapshot; it spills into the state folder, or fails there when it cannot. */
export async function openSql(settings: Settings, at: Snapshot, spillMb?: number): Promise<SqlSession> {
  const spill = await openSpillFolder(join(stateFolderOf(settings), 'spill'))
  const { lake, engine_memory_mb: memoryMb, engine_threads: threads } = settings
  // What DuckDB says of a statement's words is the fault of whoever wrote it.
  const bring = bringerOf(settings)
  const checkedFiles = openCheckedFiles({ lake, bring }, (error) => readFault(error) instanceof ServiceError)
  const close = () => spill.close()
  try {
    // DuckDB looks for every file that a view names, whether a statement reads it or not.
    if (bring !== undefined)
      for (const file of at.tables.flatMap(({ files }) => files))
        if (!existsSync(file.path)) await bring(file)
    return await SqlSession.open({
      lake,
      at,
      scratchFolder: spill.folder,
      memoryMb,
      threads,
      ...(spillMb !== undefined && { spillMb }),
      checkedFiles,
      close,
    })
  } catch (error) {
    await spill.close()
    throw error
  }
}
