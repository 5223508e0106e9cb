import { join } from 'node:path'
import { openDuckdbEngine } from './engine/duckdb/duckdb-engine.ts'
import { openDuckdbRowWriter } from './engine/duckdb/duckdb-row-writer.ts'
import type { Engine } from './engine/engine.ts'
import type { Lake } from './lake/lake.ts'
import { openLake } from './lake/lake.ts'
import { defaultStateFolder } from './lake/layout.ts'
import type { RowWriter } from './lake/row-writer.ts'
import { openScratchFolder } from './lake/run-folder.ts'
import { openOffloadedBytes } from './repository/offloaded-bytes.ts'
import { openRepository, type Repository } from './repository/repository.ts'
import type { Settings } from './settings.ts'

/** The one place where the parts are put together. To try another engine, begin here. */
export interface Services {
  readonly lake: Lake
  readonly engine: Engine
  readonly repository: Repository
  close(): Promise<void>
}

export async function openServices(settings: Settings): Promise<Services> {
  const lake = await openLake(settings.lake)
  const stateFolder = settings.state === '' ? defaultStateFolder(settings.lake) : settings.state
  const spill = await openSpillFolder(join(stateFolder, 'spill'))
  const engine = await openDuckdbEngine({
    lake: settings.lake,
    spillFolder: spill.folder,
    memoryMb: settings.engine_memory_mb,
    threads: settings.engine_threads,
    connections: settings.engine_connections,
  })
  const repository = openRepository(engine, openOffloadedBytes(engine, stateFolder))
  return {
    lake,
    engine,
    repository,
    async close() {
      await engine.close()
      await spill.close()
    },
  }
}

/** A lake that cannot be written can still be served: then queries do not spill. */
function openSpillFolder(folder: string): ReturnType<typeof openScratchFolder> {
  return openScratchFolder(folder).catch(() => ({ folder, close: async () => {} }))
}

/** A writer for one ingest; it spills into the folder given. */
export function openRowWriter(settings: Settings, spillFolder: string): Promise<RowWriter> {
  return openDuckdbRowWriter({
    spillFolder,
    memoryMb: settings.ingest_memory_mb,
    threads: settings.engine_threads,
  })
}
