import { errorTable, fail, sentenceOf } from '../../../base/errors.ts'
import { Lake } from '../../../lake/snapshot/lake.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import { checkKey } from '../../../operate/http-client/private-address.ts'
import { ServiceFault } from '../../../operate/http-client/service-fault.ts'
import type { FollowedResource } from '../../../operate/sync/records/followed.ts'
import { type RecordsRequest, syncRecords } from '../../../operate/sync/records/sync-records.ts'
import { sourceFolder } from '../../../operate/sync/sync-state.ts'
import { committing } from '../../../services/copies.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import { openServices } from '../../../services/services.ts'
import { type Settings, secretOf } from '../../../settings/settings.ts'
import { ingest } from '../../../write/ingest/pipeline.ts'
import { buildWithSteps } from '../../building/build-with-steps.ts'
import { openStepLine } from '../../progress.ts'
import { onceOrAgain, type Repeated, type Told } from '../../repeated/once-or-again.ts'
import type { Print } from '../../terminal-text.ts'
import { jsonOf, recordsLines } from './sync-lines.ts'

/** Flags as they are given. `every` is in milliseconds, `url` the address of a service up to its network. */
export interface SyncRecordsFlags extends Repeated {
  readonly url: string
  readonly rate: number
  readonly replaceAll?: true
  readonly json?: true
}

const LINE_EVERY_MS = 10_000

/**
 * Merges the records of a list of a service into the lake, once or again and again. Gives the exit code: 0 when all that the
 * service listed is in the lake. Errors: `malformed_request`, `source_unreadable`, those of the ingest.
 */
export async function runSyncRecords(
  settings: Settings,
  resource: FollowedResource,
  flags: SyncRecordsFlags,
  print: Print,
): Promise<number> {
  checkKey(secretOf('sync_key'), flags.url)
  return await onceOrAgain(
    settings,
    (signal, told) => synchronize(settings, resource, flags, signal, told),
    flags,
    print,
  )
}

async function synchronize(
  settings: Settings,
  resource: FollowedResource,
  flags: SyncRecordsFlags,
  signal: AbortSignal,
  { say }: Told,
): Promise<number> {
  const steps = openStepLine(process.stderr)
  const { url: address, rate: ratePerMinute } = flags
  let nextLineAt = performance.now() + LINE_EVERY_MS
  const request: RecordsRequest = {
    ...{ lake: settings.lake, resource, address, ratePerMinute, key: secretOf('sync_key'), signal },
    folder: sourceFolder(stateFolderOf(settings), `${address}${resource.rest.path}`),
    isReplacing: flags.replaceAll === true,
    rowsOf: (table) => rowsOf(settings, table, signal),
    ingest: async (path, isWhole) =>
      await ingest({
        ...{
          paths: [path],
          kinds: [resource.name],
          replace: false,
          replaceAll: isWhole,
        },
        ...{ commitRows: settings.ingest_commit_rows, maxRejects: undefined },
        ...committing(settings),
      }),
    onProgress({ walk, page, totalPages, records }) {
      if (performance.now() < nextLineAt) return
      nextLineAt = performance.now() + LINE_EVERY_MS
      const again = walk > 1 ? `, walk ${walk}` : ''
      steps.begin(`page ${page} of ${totalPages}, ${records} ${resource.name}${again}`)
    },
  }
  try {
    const summary = await syncRecords(request)
    steps.stop()
    const lines = flags.json ? jsonOf(summary) : recordsLines(resource.name, address, summary)
    for (const line of lines) say(line)
    const isChanged = summary.changed + summary.removed > 0
    if (isChanged && !flags.besideServer) await buildWithSteps(settings)
    const isAll = summary.left.length === 0 && summary.kept === null && summary.certainty !== 'unsettled'
    return isAll ? 0 : errorTable.source_unreadable.exit
  } catch (error) {
    if (error instanceof ServiceFault) fail('source_unreadable', `${sentenceOf(error)}.`, { cause: error })
    throw error
  } finally {
    steps.stop()
  }
}

/** The rows that a table has, by the engine that reads the files here. */
async function* rowsOf(settings: Settings, { resource }: TableSnapshot, signal: AbortSignal) {
  const services = await openServices({ ...settings, engine: 'duckdb', engine_connections: 1 })
  try {
    const at = await new Lake(settings.lake).latest()
    const plan = { resource, where: [], columns: Object.keys(resource.columns) }
    yield* services.engine.rowBatches(plan, at, signal)
  } finally {
    await services.close()
  }
}
