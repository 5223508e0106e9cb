import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sentenceOf } from '../../../base/errors.ts'
import { count, parseJsonAs, z } from '../../../base/zod.ts'
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
  extends Pick<WalkRequest, 'resource' | 'address' | 'onProgress'>,
    ServiceClientOptions {
  readonly lake: string
  /** Folder of fetched pages and of the state. */
  readonly folder: string
  /** Removes records that the service lacks, if its list is known to be complete. */
  readonly isReplacing: boolean
  /** Returns the rows of a table. */
  readonly rowsOf: (table: TableSnapshot) => AsyncIterable<readonly Row[]>
  /** Ingests a file of records; with `isWhole` it replaces the whole table. */
  readonly ingest: (path: string, isWhole: boolean) => Promise<IngestSummary>
}

/** Result of a run. */
export interface RecordsSummary {
  readonly requests: number
  /** Pages and records of all walks, including those of an interrupted run; 0 if no walk was needed. */
  readonly walks: number
  readonly pages: number
  /** Number of different records. */
  readonly records: number
  /** Number of new or changed records that were ingested. */
  readonly changed: number
  /** Number of removed rows. */
  readonly removed: number
  /** Records that were not ingested, and the reasons. */
  readonly left: readonly LeftRecord[]
  /** Why rows that the service may lack were kept; null if there was no reason. */
  readonly kept: string | null
  readonly certainty: Certainty
  readonly snapshot: string | null
}

/** Last synchronization: a snapshot of the service, and the version of the table. */
const doneForm = z.object({ snapshot: z.string().nullable(), version: count, isWhole: z.boolean() })
type Done = z.infer<typeof doneForm>

/**
 * Merges the records of a service's list into their table; commits nothing if nothing changed. A killed run loses at
 * most the page in transit.
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
  const needsNoWork = (snapshot: string) =>
    snapshot === done?.snapshot && version === done.version && (done.isWhole || !request.isReplacing)
  const { resource, address, isReplacing: mustBeWhole, onProgress, signal } = request
  const walked = await walkList(
    { resource, address, client, mustBeWhole, isDone: needsNoWork, onProgress, signal },
    log,
  )
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
    // Also removes files of a killed run.
    await rm(files, { recursive: true, force: true })
  }
}

/** Returns why the records must not replace the whole table; null if they may. */
function whyNotWhole({ isWhole }: WalkTally, left: readonly LeftRecord[], records: number): string | null {
  if (!isWhole) return 'the list changed during each walk, so it cannot be known whole'
  if (left.length > 0) return 'records of the list cannot be rows'
  return records === 0 ? 'the list is empty' : null
}

/** Returns a unique file name: a record may return to an earlier value, and the lake skips files that it has. */
function fileName(resource: string): string {
  const instant = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  return `${resource}.${instant}.${randomUUID().slice(0, 8)}.ndjson`
}

async function tableOf({ lake, resource }: RecordsRequest): Promise<TableSnapshot> {
  return (await new Lake(lake).latest()).table(resource)
}

async function* noRows(): AsyncGenerator<readonly Row[]> {}

/**
 * Reads the last synchronization. Undefined if it is unknown, such as after the state folder was lost; then all records
 * are compared.
 */
async function readDone({ folder }: RecordsRequest): Promise<Done | undefined> {
  const text = await readFile(join(folder, 'done.json'), 'utf8').catch(unlessMissing)
  return parseJsonAs(doneForm, text ?? 'null')
}

async function writeDone({ folder }: RecordsRequest, done: Done): Promise<void> {
  const path = join(folder, 'done.json')
  await replaceFile(path, `${JSON.stringify(done)}\n`, `${path}.new`)
}
