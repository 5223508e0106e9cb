import { join } from 'node:path'
import type { Spelling } from './derive/spelling.ts'
import { type DuckdbEngine, openDuckdbEngine } from './engine/duckdb/duckdb-engine.ts'
import { openDuckdbRowWriter, type RowWriter } from './engine/duckdb/duckdb-row-writer.ts'
import type { Engine } from './engine/engine.ts'
import { fail } from './errors.ts'
import { buildHotspotIndex, type BuildRequest as IndexRequest } from './hotspot-index/build-index.ts'
import { type HotspotIndex, openHotspotIndex } from './hotspot-index/hotspot-index.ts'
import { followKeys, type KeyRing } from './keys/key-ring.ts'
import { areKeysNeeded, noteKeysNeeded } from './keys/keys-needed.ts'
import { UsageFile, usageFileOf } from './keys/usage-file.ts'
import { Lake, openLake } from './lake/lake.ts'
import { defaultKeyFile, defaultStateFolder } from './lake/layout.ts'
import { openScratchFolder } from './lake/run-folder.ts'
import { openOffloadedBytes } from './repository/offloaded-bytes.ts'
import { openRepository, type Repository } from './repository/repository.ts'
import type { Settings } from './settings.ts'
import { type BuildRequest, buildSortedCopies } from './sorted-copies/build-copies.ts'
import { openSortedCopies, type SortedCopies } from './sorted-copies/sorted-copies.ts'

/** The one place where the parts are put together. To try another engine, begin here. */
export interface Services {
  readonly lake: Lake
  readonly engine: DuckdbEngine
  readonly repository: Repository
  readonly sortedCopies: SortedCopies
  readonly index: HotspotIndex
  close(): Promise<void>
}

/** What can take the place of what is usual. */
export interface ServiceOptions {
  readonly spelling?: Spelling
  /** What those who ask meet in the place of the engine, and of the hotspot index. */
  readonly aroundEngine?: (engine: Engine) => Engine
  readonly aroundIndex?: (index: HotspotIndex) => HotspotIndex
  /** Tables of fewer rows are answered without sorted copies and without the hotspot index. */
  readonly worthwhileRows?: number
}

export async function openServices(settings: Settings, options: ServiceOptions = {}): Promise<Services> {
  const { spelling, aroundEngine = same, aroundIndex = same, worthwhileRows } = options
  const lake = await openLake(settings.lake)
  const stateFolder = stateFolderOf(settings)
  const spill = await openSpillFolder(join(stateFolder, 'spill'))
  const engine = await openDuckdbEngine({
    folders: [settings.lake, stateFolder],
    spillFolder: spill.folder,
    memoryMb: settings.engine_memory_mb,
    threads: settings.engine_threads,
    connections: settings.engine_connections,
  })
  const sortedCopies = openSortedCopies(stateFolder, worthwhileRows)
  const index = aroundIndex(openHotspotIndex(stateFolder, worthwhileRows))
  const asked = aroundEngine(engine)
  const offloaded = openOffloadedBytes(asked, stateFolder)
  const repository = openRepository({ engine: asked, offloaded, sortedCopies, index, spelling })
  return {
    lake,
    engine,
    repository,
    sortedCopies,
    index,
    async close() {
      index.close()
      await engine.close()
      await spill.close()
    },
  }
}

const same = <T>(own: T): T => own

/** A lake that cannot be written can still be served: then queries do not spill. */
function openSpillFolder(folder: string): ReturnType<typeof openScratchFolder> {
  return openScratchFolder(folder).catch(() => ({ folder, close: async () => {} }))
}

function stateFolderOf({ lake, state }: Settings): string {
  return state === '' ? defaultStateFolder(lake) : state
}

/** Who may ask, and how often they did. */
export interface KeyServices {
  readonly keys: KeyRing
  readonly usage: UsageFile
  close(): Promise<void>
}

export function keyFileOf({ keys, lake }: Settings): string {
  return keys === '' ? defaultKeyFile(lake) : keys
}

/** What keys have used. Errors go to `onError`, and counts that could not be written are kept until they can. */
export function openUsage(settings: Settings, onError: (error: unknown) => void): UsageFile {
  return new UsageFile(usageFileOf(keyFileOf(settings)), onError)
}

/**
 * Follows the key file; what goes wrong later is told to `onError`.
 * Errors: `malformed_request` when it cannot be read, or when it is not there although it was named or keys are needed.
 */
export async function openKeys(settings: Settings, onError: (error: unknown) => void): Promise<KeyServices> {
  const path = keyFileOf(settings)
  const keys = await followKeys(path, settings.refresh_ms, onError)
  if (!keys.isLocked()) {
    const problem = await missingKeys(settings, path)
    if (problem !== undefined) {
      await keys.close()
      fail('malformed_request', problem)
    }
  } else if (settings.keys === '') await noteKeysNeeded(settings.lake)
  const usage = openUsage(settings, onError)
  return {
    keys,
    usage,
    async close() {
      await keys.close()
      usage.close()
    },
  }
}

/** Why a server must not start although no key file is there; undefined when it may. */
async function missingKeys({ keys, lake, open }: Settings, path: string): Promise<string | undefined> {
  if (keys !== '')
    return `There is no file of keys at ${path}; make it with: ledgerlake keys add --name NAME --keys ${path}, or leave --keys out.`
  if (open || !(await areKeysNeeded(lake))) return undefined
  return (
    `The lake ${lake} had keys, and its key file ${path} is missing; restore it from a copy, add a key ` +
    '(ledgerlake keys add), or serve without keys: ledgerlake keys off once, or --open.'
  )
}

/** Builds the sorted copies that a lake lacks by now. Nothing but speed depends on them. */
export async function buildMissingCopies(
  settings: Settings,
  options: Pick<BuildRequest, 'onTable' | 'signal'> = {},
): Promise<void> {
  const stateFolder = stateFolderOf(settings)
  const missing = await openSortedCopies(stateFolder).load(await new Lake(settings.lake).latest())
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder, options.signal)
  await buildSortedCopies(missing, { ...options, stateFolder, openWriter })
}

/** Builds what the hotspot index of a lake lacks by now. Nothing but speed depends on it. */
export async function buildMissingIndex(
  settings: Settings,
  options: Pick<IndexRequest, 'onYear' | 'signal'> = {},
): Promise<void> {
  const stateFolder = stateFolderOf(settings)
  const index = openHotspotIndex(stateFolder)
  try {
    const missing = await index.load(await new Lake(settings.lake).latest())
    const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder, options.signal)
    await buildHotspotIndex(missing, { ...options, stateFolder, openWriter })
  } finally {
    index.close()
  }
}

/** A writer for one run; it spills into the folder given, and gives up what it does when the signal is aborted. */
export function openRowWriter(
  settings: Settings,
  spillFolder: string,
  signal?: AbortSignal,
): Promise<RowWriter> {
  return openDuckdbRowWriter({
    spillFolder,
    signal,
    memoryMb: settings.ingest_memory_mb,
    threads: settings.engine_threads,
  })
}
