import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sentenceOf } from '../../../base/errors.ts'
import type { Row } from '../../../catalog/resource.ts'
import { replaceFile, unlessMissing } from '../../../lake/disk/disk.ts'
import { changeAlone } from '../../../lake/runs/change-alone.ts'
import { Lake } from '../../../lake/snapshot/lake.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { IngestSummary } from '../../../write/ingest/ingest-counts.ts'
import { changeSyncState } from '../sync-state.ts'
import { compareRecords, type LeftRecord, readDigests } from './compare-records.ts'
import { ServiceClient, type ServiceClientOptions } from './service-client.ts'
import { type WalkRequest, walkList } from './walk-list.ts'
import { WalkLog } from './walk-log.ts'
import type { Certainty, WalkTally } from './walk-tally.ts'

export interface RecordsRequest
  extends Pick<WalkRequest, 'resource' | 'address' | 'onProgress' | 'signal'>,
    ServiceClientOptions {
  readonly lake: string
  /** Where the pages lie that were fetched, and what was done. */
  readonly folder: string
  /** Removes records that the service does not have, if its whole list is known. */
  readonly isReplacing: boolean
  /** The rows that a table has. */
  readonly rowsOf: (table: TableSnapshot) => AsyncIterable<readonly Row[]>
  /** Ingests a file of records; with `isWhole` it becomes the whole table. */
  readonly ingest: (path: string, isWhole: boolean) => Promise<IngestSummary>
}

/** The result of a run. */
export interface RecordsSummary {
  readonly requests: number
  /** Pages and records of all walks, those that a run before fetched too; 0 when nothing had to be walked through. */
  readonly walks: number
  readonly pages: number
  /** Different records. */
  readonly records: number
  /** Records that were new or different, and are in the lake now. */
  readonly changed: number
  /** Rows that went away. */
  readonly removed: number
  /** Records that are not in the lake, and why. */
  readonly left: readonly LeftRecord[]
  /** Why rows stayed that should have gone if the service does not have them; null when nothing hinders. */
  readonly kept: string | null
  readonly certainty: Certainty
  readonly snapshot: string | null
}

/** The state of the lake: a snapshot of the service, in a version of the table. */
interface Done {
  readonly snapshot: string | null
  readonly version: number
  readonly isWhole: boolean
}

/**
 * Merges the records of a list of a service into their table; nothing is committed when all are there as they are. A run
 * that is killed loses at most the page that was on its way.
 * Errors: `StoreFault`, `lake_unwritable`, those of the ingest, the reason of the signal.
 */
export async function syncRecords(request: RecordsRequest): Promise<RecordsSummary> {
  const { folder } = request
  await mkdir(folder, { recursive: true })
  return await changeAlone(join(folder, 'run'), async () => {
    const log = new WalkLog(join(folder, 'pages.ndjson'))
    const source = { folder, address: `${request.address}${request.resource.rest.path}` }
    try {
      const summary = await syncAlone(request, log)
      await changeSyncState(source, { doneAt: Date.now(), problem: null })
      return summary
    } catch (error) {
      await changeSyncState(source, { problem: sentenceOf(error) })
      throw error
    } finally {
      await log.close()
    }
  })
}

async function syncAlone(request: RecordsRequest, log: WalkLog): Promise<RecordsSummary> {
  const client = new ServiceClient(request)
  const [done, { version }] = [await readDone(request), await tableOf(request)]
  const isDone = (snapshot: string) =>
    snapshot === done?.snapshot && version === done.version && (done.isWhole || !request.isReplacing)
  const { resource, address, isReplacing: mustBeWhole, onProgress, signal } = request
  const walked = await walkList({ resource, address, client, mustBeWhole, isDone, onProgress, signal }, log)
  const { requests } = client
  if (walked === undefined) {
    const nothingDone = { walks: 0, pages: 0, records: 0, changed: 0, removed: 0, left: [], kept: null }
    return { requests, ...nothingDone, certainty: 'snapshot', snapshot: done?.snapshot ?? null }
  }
  const merged = await merge(request, log, walked)
  const { walk, pages, certainty } = walked
  await log.remove()
  const snapshot = walk?.first.snapshot ?? null
  const isClean = merged.left.length === 0 && merged.kept === null
  if (isClean)
    await writeDone(request, { snapshot, version: (await tableOf(request)).version, isWhole: mustBeWhole })
  return { requests, walks: walk?.walk ?? 0, pages, ...merged, certainty, snapshot }
}

type Merged = Pick<RecordsSummary, 'records' | 'changed' | 'removed' | 'left' | 'kept'>

async function merge(request: RecordsRequest, log: WalkLog, walked: WalkTally): Promise<Merged> {
  const { resource, isReplacing, rowsOf, folder } = request
  const table = await tableOf(request)
  const digests = await readDigests(resource, table.rows > 0 ? rowsOf(table) : noRows())
  const compared = { resource, log, walked, digests }
  const whole = { ...compared, isWhole: isReplacing && walked.isWhole }
  const first = await compareRecords(whole)
  const kept = isReplacing ? whyNotWhole(walked, first.left, first.records) : null
  const isWhole = isReplacing && kept === null
  const { records, changed, gone, left } =
    isWhole === whole.isWhole ? first : await compareRecords({ ...compared, isWhole })
  const removed = isWhole ? gone : 0
  if (changed + removed === 0) return { records, changed, removed, left, kept }
  const files = join(folder, 'files')
  const path = join(files, fileName(resource.name))
  await mkdir(files, { recursive: true })
  try {
    await compareRecords({ ...compared, isWhole }, path)
    const { failed } = await request.ingest(path, isWhole)
    const refused = failed.map(({ path: key, reason }) => ({ key, reason }))
    return { records, changed: refused.length > 0 ? 0 : changed, removed, left: [...left, ...refused], kept }
  } finally {
    // With what a run that was killed left.
    await rm(files, { recursive: true, force: true })
  }
}

/** Why the records must not become the whole table. */
function whyNotWhole({ isWhole }: WalkTally, left: readonly LeftRecord[], records: number): string | null {
  if (!isWhole) return 'the list changed during each walk, so it cannot be known whole'
  if (left.length > 0) return 'records of the list cannot be rows'
  return records === 0 ? 'the list is empty' : null
}

/** Every file has a name of its own: a record may become again what it was. */
function fileName(resource: string): string {
  const instant = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  return `${resource}.${instant}.${randomUUID().slice(0, 8)}.ndjson`
}

async function tableOf({ lake, resource }: RecordsRequest): Promise<TableSnapshot> {
  return (await new Lake(lake).latest()).table(resource)
}

async function* noRows(): AsyncGenerator<readonly Row[]> {}

/** Undefined when nothing is known, as after the state folder was lost: then all is compared. */
async function readDone({ folder }: RecordsRequest): Promise<Done | undefined> {
  const text = await readFile(join(folder, 'done.json'), 'utf8').catch(unlessMissing)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Done)
  } catch {
    return undefined
  }
}

async function writeDone({ folder }: RecordsRequest, done: Done): Promise<void> {
  const path = join(folder, 'done.json')
  await replaceFile(path, `${JSON.stringify(done)}\n`, `${path}.new`)
}
