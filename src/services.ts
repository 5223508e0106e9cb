import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Resource } from './catalog/resource.ts'
import { resources } from './catalog/resources.ts'
import type { Spelling } from './derive/spelling.ts'
import { openDuckdbEngine } from './engine/duckdb/duckdb-engine.ts'
import { openDuckdbRowWriter, type RowWriter } from './engine/duckdb/duckdb-row-writer.ts'
import { mayBeDamage, readFault } from './engine/duckdb/failures.ts'
import { giveBackFreed } from './engine/duckdb/give-back.ts'
import type { Engine } from './engine/engine.ts'
import { trinoOptionsOf } from './engine/trino/options-of.ts'
import { type Registered, registerTables } from './engine/trino/register-tables.ts'
import { openTrinoEngine } from './engine/trino/trino-engine.ts'
import { fail, ServiceError } from './errors.ts'
import { bringMissing } from './follow/bring-missing.ts'
import { filesInBucket } from './follow/files-in-bucket.ts'
import { openLakeInBucket } from './follow/lake-in-bucket.ts'
import { type HotspotIndex, openHotspotIndex } from './hotspot-index/hotspot-index.ts'
import { openHotspotSums } from './hotspot-sums/hotspot-sums.ts'
import { type CheckedFiles, openCheckedFiles } from './integrity/checked-files.ts'
import { checkedWriter } from './integrity/checked-writer.ts'
import type { CheckOptions } from './integrity/sound-files.ts'
import { uncheckedFiles } from './integrity/unchecked-files.ts'
import type { Verdict } from './integrity/verdict.ts'
import { type KeyCounter, openCounterOf } from './keys/counting/key-counter.ts'
import { followKeys, type KeyRing } from './keys/key-ring.ts'
import { areKeysNeeded, noteKeysNeeded } from './keys/keys-needed.ts'
import { UsageFile, usageFileOf } from './keys/usage-file.ts'
import { isMissing } from './lake/disk.ts'
import { Lake, openLake } from './lake/lake.ts'
import { defaultKeyFile, defaultStateFolder, tableFolder } from './lake/layout.ts'
import { readOriginMark } from './lake/origin-mark.ts'
import { openScratchFolder } from './lake/run-folder.ts'
import type { Snapshot, TableSnapshot } from './lake/snapshot.ts'
import type { Elsewhere } from './lake/vacuum.ts'
import { buildMissing } from './maintenance/build-missing.ts'
import type { Derived } from './maintenance/derived.ts'
import { manifestReader } from './repository/manifests.ts'
import { openOffloadedBytes } from './repository/offloaded-bytes.ts'
import { openRepository, type Repository } from './repository/repository.ts'
import { openRowBlocks } from './row-blocks/row-blocks.ts'
import { type Settings, secretOf } from './settings.ts'
import { copiesFolder } from './sorted-copies/copies-index.ts'
import { openSortedCopies, type SortedCopies } from './sorted-copies/sorted-copies.ts'
import { SqlSession } from './sql/sql-session.ts'

/** The parts of the program, put together in one file. To try another engine, begin here. */
export interface Services {
  readonly lake: Lake
  readonly engine: Engine
  readonly repository: Repository
  readonly sortedCopies: SortedCopies
  readonly index: HotspotIndex
  /** What makes answers faster. */
  readonly derived: readonly Derived[]
  /** The files that answers are read from. */
  readonly checkedFiles: CheckedFiles
  /** Does ahead what the first requests on a new snapshot would wait for, and forgets files that neither it nor the others name. */
  warm(at: Snapshot, others?: readonly Snapshot[]): Promise<void>
  /** Gives memory that the engine has freed back to the system. */
  giveBack(): Promise<void>
  close(): Promise<void>
}

/** What tests and benches replace. */
export interface ServiceOptions {
  readonly spelling?: Spelling
  /** Wrap the engine and the hotspot index that requests use. */
  readonly aroundEngine?: (engine: Engine) => Engine
  readonly aroundIndex?: (index: HotspotIndex) => HotspotIndex
  /** Tables of fewer rows are answered without sorted copies, the hotspot index and the sums of hotspots. */
  readonly worthwhileRows?: number
  /** Tables beside those that are declared. */
  readonly moreTables?: readonly Resource[]
  /** Is told of what the engine mends by itself, each time. */
  readonly report?: (sentence: string) => void
  /** Told of each file whose bytes were compared with its digest. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Told why a file could not be read, now and then. */
  readonly onUnread?: (error: unknown) => void
  /** Without it files are read unchecked, to measure what checking costs. */
  readonly areFilesChecked?: boolean
}

/** Errors: those of the lake, and why the engine cannot be opened; nothing stays open then. */
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
  const asked = aroundEngine(engine)
  const manifests = manifestReader(asked, spelling)
  const { sortedCopies, blocks, index, hotspotSums } = openIndexes(settings, checkedFiles, options)
  const offloaded = openOffloadedBytes(asked, manifests, stateFolder)
  const ofFiles = engine.placed === undefined ? [] : [sortedCopies, blocks]
  const derived: readonly Derived[] = [...ofFiles, index, hotspotSums, offloaded]
  const parts = { engine: asked, manifests, offloaded, sortedCopies, blocks, index, hotspotSums, spelling }
  const repository = openRepository(parts)
  return {
    lake,
    engine,
    repository,
    sortedCopies,
    index,
    derived,
    checkedFiles,
    async warm(at, others = []) {
      const live = new Set([at, ...others].flatMap(({ tables }) => tables.flatMap(pathsOf)))
      checkedFiles.retain(live)
      engine.retain?.(live)
      for (const one of derived) await one.load(at)
      await repository.warm(at)
    },
    giveBack: giveBackFreed,
    async close() {
      for (const one of derived) one.close?.()
      await engine.close()
      await spill.close()
    },
  }
}

/** Trino, or the embedded engine. */
async function openEngine(settings: Settings, given: ServiceOptions, spill: string, checked: CheckedFiles) {
  if (settings.engine === 'trino')
    return openTrinoEngine({ ...trinoOptionsOf(settings, secretOf('trino_password')), report: given.report })
  const { lake } = settings
  const tables = [...resources, ...(given.moreTables ?? [])].map((one) => tableFolder(lake, one))
  const options = {
    ...{ lake, spillFolder: spill, report: given.report },
    folders: [...tables, copiesFolder(stateFolderOf(settings))],
    ...{ memoryMb: settings.engine_memory_mb, spillMb: settings.engine_spill_mb },
    ...{ threads: settings.engine_threads, connections: settings.engine_connections },
  }
  return await openDuckdbEngine(options, checked)
}

/** Makes the tables of the lake known to a cluster. Errors: those of the lake and of `registerTables`. */
export async function registerInTrino(settings: Settings, report: (one: Registered) => void): Promise<void> {
  const { tables } = await (await openLake(settings.lake)).latest()
  await registerTables(trinoOptionsOf(settings, secretOf('trino_password')), tables, report)
}

function checkedFilesOf(settings: Settings, options: ServiceOptions = {}): CheckedFiles {
  const { lake } = settings
  const { onVerdict, onUnread, areFilesChecked = true } = options
  return areFilesChecked
    ? openCheckedFiles({ lake, bring: bringerOf(settings), onVerdict, onUnread }, mayBeDamage)
    : uncheckedFiles
}

/** What is derived by a writer alone, so that an ingest, which opens no engine, builds it too. */
function openIndexes(
  settings: Settings,
  checkedFiles: CheckedFiles,
  { aroundIndex = same, worthwhileRows }: ServiceOptions = {},
) {
  const stateFolder = stateFolderOf(settings)
  const openAny = (spillFolder: string, signal?: AbortSignal) => openRowWriter(settings, spillFolder, signal)
  const openWriter = checkedWriter(openAny, checkedFiles)
  const sortedCopies = openSortedCopies(stateFolder, openWriter, worthwhileRows, checkedFiles.derived)
  return {
    sortedCopies,
    blocks: openRowBlocks(stateFolder, openWriter, sortedCopies, worthwhileRows),
    index: aroundIndex(openHotspotIndex(stateFolder, openWriter, worthwhileRows)),
    hotspotSums: openHotspotSums(stateFolder, openWriter, worthwhileRows),
  }
}

/** Builds after a commit what the newest snapshot lacks. Nothing but speed depends on it, so errors are printed. */
export async function buildDerived(settings: Settings, print: (line: string) => void): Promise<void> {
  await buildMissing(openDerived(settings), new Lake(settings.lake), print)
}

/** What is derived by a writer alone, for those who look at it and build nothing. */
export function openDerived(settings: Settings): readonly Derived[] {
  const { sortedCopies, blocks, ...others } = openIndexes(settings, checkedFilesOf(settings))
  // A cluster reads neither.
  return [...(settings.engine === 'trino' ? [] : [sortedCopies, blocks]), ...Object.values(others)]
}

const pathsOf = ({ files }: TableSnapshot) => files.map(({ path }) => path)

const same = <T>(own: T): T => own

/** A lake that cannot be written can still be served: then queries do not spill. */
function openSpillFolder(folder: string): ReturnType<typeof openScratchFolder> {
  return openScratchFolder(folder).catch(() => ({ folder, close: async () => {} }))
}

/** Where derived structures of a lake are kept. */
export function stateFolderOf({ lake, state }: Settings): string {
  return state === '' ? defaultStateFolder(lake) : state
}

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

/** Who may ask, and how often they did. */
export interface KeyServices {
  readonly keys: KeyRing
  readonly counter: KeyCounter
  close(): Promise<void>
}

export function keyFileOf({ keys, lake }: Settings): string {
  return keys === '' ? defaultKeyFile(lake) : keys
}

/** What keys have used, by the lines of the usage file. Errors go to `onError`. */
export function openUsageFile(settings: Settings, onError: (error: unknown) => void): UsageFile {
  return new UsageFile(usageFileOf(keyFileOf(settings)), onError)
}

/** Whether what keys use can be kept beside the key file. */
export async function canKeepCounts(settings: Settings): Promise<boolean> {
  const folder = dirname(keyFileOf(settings))
  return access(folder, constants.W_OK).then(
    () => true,
    (error) => isMissing(error),
  )
}

/**
 * Follows the key file; later errors go to `onError`. Counts lie beside it, unless another folder is given.
 * Errors: `malformed_request` when it cannot be read, or when it is not there although it was named or keys are needed.
 */
export async function openKeys(
  settings: Settings,
  onError: (error: unknown) => void,
  countsFolder?: string,
): Promise<KeyServices> {
  const path = keyFileOf(settings)
  const keys = await followKeys(path, settings.refresh_ms, onError)
  if (!keys.isLocked()) {
    const problem = await missingKeys(settings, path)
    if (problem !== undefined) {
      await keys.close()
      fail('malformed_request', problem)
    }
  } else if (settings.keys === '') await noteKeysNeeded(settings.lake)
  const counter = openCounterOf(path, onError, countsFolder)
  return {
    keys,
    counter,
    async close() {
      await keys.close()
      counter.close()
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

/** What commits to a lake need; for the copy of a lake in a bucket, where they count. */
export function committing(settings: Settings, signal = new AbortController().signal) {
  const { lake } = settings
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder)
  const mark = readOriginMark(lake)
  const remote = mark && openLakeInBucket(lake, mark)?.remote(openWriter, signal)
  return { lake, openWriter, remote }
}

/** Where the data files of a copy count, for a vacuum; undefined for a lake of its own, and for a copy of what a server shares. */
export function elsewhereOf({ lake }: Settings): Elsewhere | undefined {
  const mark = readOriginMark(lake)
  const own = mark && openLakeInBucket(lake, mark)
  return own && filesInBucket(own.bucketLake)
}

/** Brings files of a copy that are missing; undefined for a lake of its own. */
function bringerOf({ lake, lake_copy_mb: mostMb }: Settings): CheckOptions['bring'] {
  const mark = readOriginMark(lake)
  const origin = mark && openLakeInBucket(lake, mark)?.origin
  return origin && ((file) => bringMissing({ lake, origin }, file, mostMb * 2 ** 20))
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
