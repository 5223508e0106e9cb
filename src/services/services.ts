import { join } from 'node:path'
import { manifestReader } from '../answers/records/manifests.ts'
import { openRepository, type Repository } from '../answers/repository.ts'
import { giveBackFreed } from '../engine/duckdb/give-back.ts'
import type { Engine } from '../engine/engine.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import type { Derived } from '../index/maintenance/derived.ts'
import type { RowBlocks } from '../index/row-blocks.ts'
import type { CheckedFiles } from '../lake/integrity/checked-files.ts'
import { type Lake, openLake } from '../lake/snapshot/lake.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot/snapshot.ts'
import { remoteFilesOf } from './copies.ts'
import { checkedFilesOf, listDerived, openStructures } from './derived.ts'
import { engines } from './engines.ts'
import { openSpillFolder, stateFolderOf } from './folders.ts'
import type { ServiceOptions } from './options.ts'
import type { Settings } from './settings/settings.ts'

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
  const { spelling, aroundEngine = (engine) => engine } = options
  const lake = await openLake(settings.lake, remoteFilesOf(settings))
  const stateFolder = stateFolderOf(settings)
  const spill = await openSpillFolder(join(stateFolder, 'spill'))
  const checkedFiles = checkedFilesOf(settings, options)
  const { open } = engines[settings.engine]
  const engine = await open(settings, options, spill.folder, checkedFiles).catch(async (error) => {
    await spill.close().catch(() => {})
    throw error
  })
  const usedEngine = aroundEngine(engine)
  const manifests = manifestReader(usedEngine, spelling)
  const queries = { engine: usedEngine, manifests }
  const structures = openStructures({ settings, checkedFiles, options, queries })
  const derived = listDerived(structures, settings)
  const { blocks, index } = structures
  const repository = openRepository({ ...queries, ...structures, spelling, scratchFolder: spill.folder })
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
      checkedFiles.verdicts.retain(live)
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

const pathsOf = ({ files }: TableSnapshot) => files.map(({ path }) => path)
