import { openOffloadedBytes } from '../answers/offload/offloaded-bytes.ts'
import type { ReadManifests } from '../answers/records/manifests.ts'
import type { Engine } from '../engine/engine.ts'
import { openKeyIndex } from '../index/keyed/key-index.ts'
import { buildMissing, type MissingOptions } from '../index/maintenance/build-missing.ts'
import type { Derived } from '../index/maintenance/derived.ts'
import { openRowBlocks } from '../index/row-blocks.ts'
import { type CheckedFiles, openCheckedFiles } from '../lake/integrity/checked-files.ts'
import { checkedReader } from '../lake/integrity/checked-reader.ts'
import { Lake } from '../lake/snapshot/lake.ts'
import type { TableSnapshot } from '../lake/snapshot/snapshot.ts'
import { fetcherOf } from './copies.ts'
import { engines } from './engines.ts'
import { stateFolderOf } from './folders.ts'
import type { ServiceOptions } from './options.ts'
import { openRowReader } from './row-writer.ts'
import type { Settings } from './settings/settings.ts'

export function checkedFilesOf(settings: Settings, options: ServiceOptions = {}): CheckedFiles {
  const { lake } = settings
  const { onVerdict, onUnread } = options
  return openCheckedFiles({ lake, bring: fetcherOf(settings), onVerdict, onUnread })
}

/** Parts from which derived structures are opened. */
interface Sources {
  readonly settings: Settings
  readonly checkedFiles: CheckedFiles
  readonly options?: ServiceOptions
  readonly isFileOrderOnly?: boolean
  /** Undefined in a process without an engine, such as an ingest. */
  readonly queries?: { readonly engine: Engine; readonly manifests: ReadManifests }
}

/**
 * Opens the derived structures, in the order of building. This is their only list: a structure is added or removed
 * here. A structure that queries the engine is undefined in a process without one.
 */
function openEach({ settings, checkedFiles, options = {}, isFileOrderOnly = false, queries }: Sources) {
  const { aroundIndex = (index) => index, worthwhileRows } = options
  const stateFolder = stateFolderOf(settings)
  const openReader = checkedReader(
    (spillFolder, signal) => openRowReader(settings, spillFolder, signal),
    checkedFiles,
  )
  const cacheBytes = settings.block_memory_mb * 2 ** 20
  return {
    blocks: openRowBlocks(stateFolder, openReader, { worthwhileRows, cacheBytes, isFileOrderOnly }),
    index: aroundIndex(openKeyIndex(stateFolder, openReader, worthwhileRows)),
    offloaded: queries && openOffloadedBytes(queries.engine, queries.manifests, stateFolder),
  }
}

type OpenedStructures = ReturnType<typeof openEach>
type Structures = { readonly [Name in keyof OpenedStructures]: NonNullable<OpenedStructures[Name]> }

/** Opens the derived structures of a process with an engine. */
export const openStructures = openEach as (
  sources: Sources & Required<Pick<Sources, 'queries'>>,
) => Structures

/**
 * Parts that two processes can build at the same time: the row indexes, and all other structures. `fileOrder` are the
 * row indexes in file order.
 */
export type DerivedPart = 'all' | 'rows' | 'fileOrder' | 'exceptRows'

/** Lists the structures of a part. An engine that reads no rows by number uses no row index. */
export function listDerived(
  structures: OpenedStructures,
  settings: Settings,
  part: DerivedPart = 'all',
): readonly Derived[] {
  const listed = Object.values(structures).filter((one) => one !== undefined)
  return listed.filter((one) => {
    const hasRows = one === structures.blocks
    if (hasRows && !engines[settings.engine].readsByRowNumber) return false
    return part === 'all' || hasRows === (part !== 'exceptRows')
  })
}

/** Opens the structures of a part, except those that need an engine. */
export function openDerived(settings: Settings, part: DerivedPart = 'all'): readonly Derived[] {
  const isFileOrderOnly = part === 'fileOrder'
  const structures = openEach({ settings, checkedFiles: checkedFilesOf(settings), isFileOrderOnly })
  return listDerived(structures, settings, part)
}

/**
 * Builds the derived structures that the newest snapshot lacks, except those that need an engine. Only speed depends on
 * them, so errors are reported. Returns true if there were none.
 */
export async function buildDerived(
  settings: Settings,
  options: MissingOptions,
  part?: DerivedPart,
): Promise<boolean> {
  return await buildMissing(openDerived(settings, part), new Lake(settings.lake), options)
}

/** Returns the number of rows of tables for which a part is incomplete. */
export async function rowsLacking(settings: Settings, part: DerivedPart): Promise<number> {
  const at = await new Lake(settings.lake).latest()
  const lacking = new Set<TableSnapshot>()
  for (const one of openDerived(settings, part)) {
    for (const table of await one.load(at)) lacking.add(table)
    one.close?.()
  }
  return [...lacking].reduce((sum, { rows }) => sum + rows, 0)
}
