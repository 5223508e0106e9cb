import { join } from 'node:path'
import { entriesIn } from '../../lake/disk/disk.ts'
import { isUnsettled } from './left-object.ts'
import type { StoreUsage } from './prices.ts'
import { readSpent, SPENT } from './spending.ts'
import { readSyncState, syncStateFolder } from './sync-state.ts'

/** How far a source has come. */
export interface SourceStatus {
  readonly address: string
  /** When a run last came to its end, milliseconds since 1970; null when none has. */
  readonly doneAt: number | null
  /** Why the newest run did not; null when it did. */
  readonly problem: string | null
  /** Files that could not be ingested, or changed after they were. */
  readonly refused: number
  /** Files that manifests name and the source lacks. */
  readonly missing: number
  /** All that was ever asked of it; null for a service, whose requests cost nothing. */
  readonly usage: StoreUsage | null
}

/** The sources that were synchronized into a lake, by their addresses. */
export async function readSources(stateFolder: string): Promise<readonly SourceStatus[]> {
  const parent = syncStateFolder(stateFolder)
  const folders = (await entriesIn(parent)).filter((entry) => entry.isDirectory())
  const sources = await Promise.all(folders.map(({ name }) => readSource(join(parent, name))))
  return sources.filter(({ address }) => address !== '').sort((a, b) => (a.address < b.address ? -1 : 1))
}

async function readSource(folder: string): Promise<SourceStatus> {
  const { address, doneAt, problem, fetched, missing } = await readSyncState(folder, '')
  const refused = Object.values(fetched).filter(isUnsettled).length
  const isCounted = (await entriesIn(folder)).some(({ name }) => name === SPENT)
  const usage = isCounted ? await readSpent(folder) : null
  return { address, doneAt, problem, refused, missing: Object.keys(missing).length, usage }
}
