import { mayBeDamage } from '../engine/duckdb/failures.ts'
import { openKeyIndex } from '../index/keyed/key-index.ts'
import { buildMissing } from '../index/maintenance/build-missing.ts'
import type { Derived } from '../index/maintenance/derived.ts'
import { openRowBlocks } from '../index/row-blocks.ts'
import { type CheckedFiles, openCheckedFiles } from '../lake/integrity/checked-files.ts'
import { checkedWriter } from '../lake/integrity/checked-writer.ts'
import { uncheckedFiles } from '../lake/integrity/unchecked-files.ts'
import { Lake } from '../lake/snapshot/lake.ts'
import type { TableSnapshot } from '../lake/snapshot/snapshot.ts'
import type { Settings } from '../settings/settings.ts'
import { fetcherOf } from './copies.ts'
import { stateFolderOf } from './folders.ts'
import type { ServiceOptions } from './options.ts'
import { openRowWriter } from './row-writer.ts'

export function checkedFilesOf(settings: Settings, options: ServiceOptions = {}): CheckedFiles {
  const { lake } = settings
  const { onVerdict, onUnread, areFilesChecked = true } = options
  return areFilesChecked
    ? openCheckedFiles({ lake, bring: fetcherOf(settings), onVerdict, onUnread }, mayBeDamage)
    : uncheckedFiles
}

const same = <T>(value: T): T => value

/** Opens the indexes. They need only a writer, so an ingest without an engine can build them. */
export function openIndexes(
  settings: Settings,
  checkedFiles: CheckedFiles,
  { aroundIndex = same, worthwhileRows }: ServiceOptions = {},
) {
  const stateFolder = stateFolderOf(settings)
  const openAny = (spillFolder: string, signal?: AbortSignal) => openRowWriter(settings, spillFolder, signal)
  const openWriter = checkedWriter(openAny, checkedFiles)
  const ofBlocks = { worthwhileRows, cacheBytes: settings.block_memory_mb * 2 ** 20 }
  return {
    blocks: openRowBlocks(stateFolder, openWriter, ofBlocks),
    fileOrder: openRowBlocks(stateFolder, openWriter, { ...ofBlocks, isFileOrderOnly: true }),
    byHotspot: aroundIndex(openKeyIndex(stateFolder, openWriter, worthwhileRows)),
  }
}

/**
 * Parts that separate processes can build at the same time. `rows` are all row indexes, `fileOrder` only those in file
 * order. The index by hotspot builds row indexes that it lacks in its scratch folder.
 */
export type DerivedPart = 'byHotspot' | 'rows' | 'fileOrder'

const whole: readonly DerivedPart[] = ['rows', 'byHotspot']

/**
 * Builds the derived structures that the newest snapshot lacks. Only speed depends on them, so errors are printed.
 * Returns true if there were none.
 */
export async function buildDerived(
  settings: Settings,
  print: (line: string) => void,
  parts = whole,
  signal?: AbortSignal,
): Promise<boolean> {
  return await buildMissing(openDerived(settings, parts), new Lake(settings.lake), print, signal)
}

/** Returns the number of rows of tables for which a part is incomplete. */
export async function rowsLacking(settings: Settings, part: DerivedPart): Promise<number> {
  const at = await new Lake(settings.lake).latest()
  const lacking = new Set<TableSnapshot>()
  for (const one of openDerived(settings, [part])) {
    for (const table of await one.load(at)) lacking.add(table)
    one.close?.()
  }
  return [...lacking].reduce((sum, { rows }) => sum + rows, 0)
}

/** Opens the indexes of these parts. They need a writer, but no engine. */
export function openDerived(settings: Settings, parts = whole): readonly Derived[] {
  const { blocks, fileOrder, byHotspot } = openIndexes(settings, checkedFilesOf(settings))
  const all: Readonly<Record<DerivedPart, readonly Derived[]>> = {
    // A Trino cluster cannot read rows by number.
    rows: settings.engine === 'trino' ? [] : [blocks],
    fileOrder: [fileOrder],
    byHotspot: [byHotspot],
  }
  return parts.flatMap((part) => all[part])
}
