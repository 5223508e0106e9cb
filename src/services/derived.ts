import { mayBeDamage } from '../engine/duckdb/failures.ts'
import { openHotspotIndex } from '../hotspot-index/hotspot-index.ts'
import { openHotspotSums } from '../hotspot-sums/hotspot-sums.ts'
import { type CheckedFiles, openCheckedFiles } from '../integrity/checked-files.ts'
import { checkedWriter } from '../integrity/checked-writer.ts'
import { uncheckedFiles } from '../integrity/unchecked-files.ts'
import { Lake } from '../lake/lake.ts'
import { buildMissing } from '../maintenance/build-missing.ts'
import type { Derived } from '../maintenance/derived.ts'
import { openRowBlocks } from '../row-blocks/row-blocks.ts'
import type { Settings } from '../settings.ts'
import { openSortedCopies } from '../sorted-copies/sorted-copies.ts'
import { bringerOf } from './copies.ts'
import { stateFolderOf } from './folders.ts'
import type { ServiceOptions } from './options.ts'
import { openRowWriter } from './row-writer.ts'

export function checkedFilesOf(settings: Settings, options: ServiceOptions = {}): CheckedFiles {
  const { lake } = settings
  const { onVerdict, onUnread, areFilesChecked = true } = options
  return areFilesChecked
    ? openCheckedFiles({ lake, bring: bringerOf(settings), onVerdict, onUnread }, mayBeDamage)
    : uncheckedFiles
}

const same = <T>(own: T): T => own

/** What is derived by a writer alone, so that an ingest, which opens no engine, builds it too. */
export function openIndexes(
  settings: Settings,
  checkedFiles: CheckedFiles,
  { aroundIndex = same, worthwhileRows }: ServiceOptions = {},
) {
  const stateFolder = stateFolderOf(settings)
  const blockBytes = settings.block_memory_mb * 2 ** 20
  const openAny = (spillFolder: string, signal?: AbortSignal) => openRowWriter(settings, spillFolder, signal)
  const openWriter = checkedWriter(openAny, checkedFiles)
  const sortedCopies = openSortedCopies(stateFolder, openWriter, worthwhileRows, checkedFiles.derived)
  return {
    sortedCopies,
    blocks: openRowBlocks(stateFolder, openWriter, sortedCopies, worthwhileRows, blockBytes),
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
