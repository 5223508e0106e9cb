import { join } from 'node:path'
import { openOffloadedBytes } from '../answers/offload/offloaded-bytes.ts'
import { manifestReader } from '../answers/records/manifests.ts'
import { openRepository, type Repository } from '../answers/repository.ts'
import { resources } from '../catalog/resources.ts'
import { giveBackFreed } from '../engine/duckdb/give-back.ts'
import { openDuckdbEngine } from '../engine/duckdb/queries/duckdb-engine.ts'
import type { Engine } from '../engine/engine.ts'
import { trinoOptionsOf } from '../engine/trino/options-of.ts'
import { openTrinoEngine } from '../engine/trino/trino-engine.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import type { Derived } from '../index/maintenance/derived.ts'
import type { RowBlocks } from '../index/row-blocks.ts'
import { tableFolder } from '../lake/disk/layout.ts'
import type { CheckedFiles } from '../lake/integrity/checked-files.ts'
import { type Lake, openLake } from '../lake/snapshot/lake.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot/snapshot.ts'
import { type Settings, secretOf } from '../settings/settings.ts'
import { checkedFilesOf, openIndexes } from './derived.ts'
import { openSpillFolder, stateFolderOf } from './folders.ts'
import type { ServiceOptions } from './options.ts'

/** The open parts of the program. */
export interface Services {
  readonly lake: Lake
  readonly engine: Engine
  readonly repository: Repository
  readonly blocks: RowBlocks
  readonly index: KeyIndex
  /** Indexes and other structures that speed up responses. */
  readonly derived: readonly Derived[]
  /** Data files with their verdicts. */
  readonly checkedFiles: CheckedFiles
  /** Warms caches for a new snapshot, and drops files that no served snapshot names. */
  warm(at: Snapshot, others?: readonly Snapshot[]): Promise<void>
  /** Returns memory that the engine has freed to the system. */
  giveBack(): Promise<void>
  close(): Promise<void>
}

/** Opens all parts. Errors: those of the lake; the reason why the engine cannot be opened. Nothing stays open then. */
export async function openServices(settings: Settings, options: ServiceOptions = {}): Promise<Services> {
  const { spelling, aroundEngine = same } = options
  const lake = await openLake(settings.lake)
  const stateFolder = stateFolderOf(settings)
  const spill = await openSpillFolder(join(stateFolder, 'spill'))
  const checkedFiles = checkedFilesOf(settings, options)
  const engine = await openEngine(settings, options, spill.folder, checkedFiles).catch(async (error) => {
    await spill.close().catch(() => {})
    throw error
  })
  const usedEngine = aroundEngine(engine)
  const manifests = manifestReader(usedEngine, spelling)
  const { blocks, byHotspot: index } = openIndexes(settings, checkedFiles, options)
  const offloaded = openOffloadedBytes(usedEngine, manifests, stateFolder)
  const ofFiles = engine.placed === undefined ? [] : [blocks]
  const derived: readonly Derived[] = [...ofFiles, index, offloaded]
  const parts = { engine: usedEngine, manifests, offloaded, blocks, index, spelling }
  const repository = openRepository(parts)
  return {
    lake,
    engine,
    repository,
    blocks,
    index,
    derived,
    checkedFiles,
    async warm(at, others = []) {
      const live = new Set([at, ...others].flatMap(({ tables }) => tables.flatMap(pathsOf)))
      checkedFiles.retain(live)
      engine.retain?.(live)
      const errors: unknown[] = []
      const note = (error: unknown) => errors.push(error)
      for (const one of derived) await one.load(at).catch(note)
      await repository.warm(at).catch(note)
      if (errors.length > 0) throw errors[0]
    },
    giveBack: giveBackFreed,
    async close() {
      for (const one of derived) one.close?.()
      await engine.close()
      await spill.close()
    },
  }
}

/** Opens Trino or the embedded engine. */
async function openEngine(settings: Settings, given: ServiceOptions, spill: string, checked: CheckedFiles) {
  if (settings.engine === 'trino')
    return openTrinoEngine({ ...trinoOptionsOf(settings, secretOf('trino_password')), report: given.report })
  const { lake } = settings
  const tables = [...resources, ...(given.moreTables ?? [])].map((one) => tableFolder(lake, one))
  const options = {
    ...{ lake, spillFolder: spill, report: given.report },
    folders: tables,
    ...{ memoryMb: settings.engine_memory_mb, spillMb: settings.engine_spill_mb },
    ...{ threads: settings.engine_threads, connections: settings.engine_connections },
  }
  return await openDuckdbEngine(options, checked)
}

const pathsOf = ({ files }: TableSnapshot) => files.map(({ path }) => path)

const same = <T>(own: T): T => own
