import { join } from 'node:path'
import { entriesIn } from '../../lake/disk/disk.ts'
import type { StoreUsage } from './prices.ts'
import { readSpent, SPENT } from './spending.ts'
import { isUnsettled, readSyncState, syncStateFolder } from './sync-state.ts'

/** Progress of a source. */
export interface SourceStatus {
  readonly address: string
  /** Time of the last complete run, milliseconds since 1970; null if there was none. */
  readonly doneAt: number | null
  /** Why the newest run failed; null if it completed. */
  readonly problem: string | null
  /** Number of files that could not be ingested, or that changed after their ingest. */
  readonly refused: number
  /** Number of files that manifests name and the source lacks. */
  readonly missing: number
  /** Usage of all runs; null for a service, whose requests are free. */
  readonly usage: StoreUsage | null
}

/** Returns all sources synchronized into a lake, sorted by address. */
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
