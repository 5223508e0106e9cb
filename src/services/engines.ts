import { resources } from '../catalog/resources.ts'
import { openDuckdbEngine } from '../engine/duckdb/queries/duckdb-engine.ts'
import type { Engine } from '../engine/engine.ts'
import { trinoOptionsOf } from '../engine/trino/options-of.ts'
import { openTrinoEngine } from '../engine/trino/trino-engine.ts'
import { tableFolder } from '../lake/disk/layout.ts'
import type { CheckedFiles } from '../lake/integrity/checked-files.ts'
import type { ServiceOptions } from './options.ts'
import { type Settings, secretOf } from './settings/settings.ts'

interface EngineKind {
  /** True if the engine reads rows by file and row number, which row indexes need. */
  readonly readsByRowNumber: boolean
  open(
    settings: Settings,
    options: ServiceOptions,
    spillFolder: string,
    checkedFiles: CheckedFiles,
  ): Promise<Engine>
}

/** Engines by the value of the setting `engine`. A new engine needs an entry here and a folder in `src/engine`. */
export const engines: Readonly<Record<Settings['engine'], EngineKind>> = {
  duckdb: {
    readsByRowNumber: true,
    async open(settings, { moreTables = [], report }, spillFolder, checkedFiles) {
      const { lake } = settings
      const options = {
        ...{ lake, spillFolder, report },
        folders: [...resources, ...moreTables].map((table) => tableFolder(lake, table)),
        ...{ memoryMb: settings.engine_memory_mb, spillMb: settings.engine_spill_mb },
        ...{ threads: settings.engine_threads, connections: settings.engine_connections },
      }
      return await openDuckdbEngine(options, checkedFiles)
    },
  },
  trino: {
    readsByRowNumber: false,
    open: async (settings, { report }) =>
      openTrinoEngine({ ...trinoOptionsOf(settings, secretOf('trino_password')), report }),
  },
}
