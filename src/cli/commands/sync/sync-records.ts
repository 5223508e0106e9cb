import { type Command, InvalidArgumentError } from 'commander'
import { errorTable } from '../../../base/errors.ts'
import { Lake } from '../../../lake/snapshot/lake.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import { checkKey } from '../../../operate/http-client/private-address.ts'
import { type FollowedResource, followedResources } from '../../../operate/sync/records/followed-resources.ts'
import { serviceAddress } from '../../../operate/sync/records/service-address.ts'
import { type RecordsRequest, syncRecords } from '../../../operate/sync/records/sync-records.ts'
import { sourceFolder } from '../../../operate/sync/sync-state.ts'
import { commitTarget } from '../../../services/copies.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import { writerSettings } from '../../../services/row-writer.ts'
import { openServices } from '../../../services/services.ts'
import { type Settings, secretOf } from '../../../settings/settings.ts'
import { ingest } from '../../../write/ingest/pipeline.ts'
import { buildWithSteps } from '../../building/build-with-steps.ts'
import { positiveNumber } from '../../flags/flag-values.ts'
import { flagsTakenBy } from '../../flags/taken-flags.ts'
import { withRepeating } from '../../flags/with-repeating.ts'
import { type Flags, print, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { openStepLine, seldom } from '../../progress.ts'
import { type Repeated, type RunLog, runOnceOrRepeatedly } from '../../repeated/once-or-again.ts'
import type { Print } from '../../terminal-text.ts'
import { jsonOf, recordsLines } from './sync-lines.ts'

/** Adds a subcommand of `sync` for each table whose records a service lists. */
export function addSyncRecordsCommands(sync: Command): void {
  for (const resource of followedResources) {
    const command = sync
      .command(resource.name)
      .description(`Merge the ${resource.name} that a service lists into the lake.`)
      .requiredOption('--url <url>', 'the service up to its network: https://api.example.org/v1/net', service)
      .option('--rate <n>', 'the most requests in a minute', rate, 60)
      .option('--replace-all', 'rows that the service does not have go away, if its whole list is known')
      .option('--json', 'print the summary as JSON')
      .addHelpText(
        'after',
        '\nThe API key of the service is read from LEDGERLAKE_SYNC_KEY in the environment alone.',
      )
    const settings = ['lake', 'state', ...writerSettings, 'ingest_commit_rows', 'engine_memory_mb'] as const
    withSettings(withRepeating(command), settings).action(async (own: Flags) => {
      const flags = { ...own, ...flagsTakenBy(sync, command) } as Flags & SyncRecordsFlags
      process.exitCode = await runSyncRecords(settingsFrom(flags), resource, flags, print)
    })
  }
}

function service(text: string): string {
  const address = serviceAddress(text)
  if (address !== undefined) return address
  throw new InvalidArgumentError(
    'Use an address such as https://api.example.org/v1/net, without a user; the key is read from LEDGERLAKE_SYNC_KEY.',
  )
}

function rate(text: string): number {
  const number = positiveNumber(text)
  if (number <= 60_000) return number
  throw new InvalidArgumentError('Use a whole number from 1 to 60000.')
}

/** Parsed flags. `every` is in milliseconds, `url` is the address of a service up to its network. */
interface SyncRecordsFlags extends Repeated {
  readonly url: string
  readonly rate: number
  readonly replaceAll?: true
  readonly json?: true
}

/**
 * Merges the records of a service's list into the lake, once or repeatedly. Returns the exit code: 0 if all listed
 * records are in the lake.
 * Errors: `malformed_request`, `source_unreadable`, those of the ingest.
 */
async function runSyncRecords(
  settings: Settings,
  resource: FollowedResource,
  flags: SyncRecordsFlags,
  print: Print,
): Promise<number> {
  checkKey(secretOf('sync_key'), flags.url)
  return await runOnceOrRepeatedly(
    settings,
    (signal, log) => synchronize(settings, resource, flags, signal, log),
    flags,
    print,
  )
}

async function synchronize(
  settings: Settings,
  resource: FollowedResource,
  flags: SyncRecordsFlags,
  signal: AbortSignal,
  { say }: RunLog,
): Promise<number> {
  const steps = openStepLine(process.stderr)
  const { url: address, rate: ratePerMinute } = flags
  const note = seldom(steps.begin)
  const request: RecordsRequest = {
    ...{ lake: settings.lake, resource, address, ratePerMinute, key: secretOf('sync_key'), signal },
    folder: sourceFolder(stateFolderOf(settings), `${address}${resource.rest.path}`),
    isReplacing: flags.replaceAll === true,
    rowsOf: (table) => rowsOf(settings, table, signal),
    ingest: async (path, isWhole) =>
      await ingest({
        ...commitTarget(settings),
        ...{ paths: [path], kinds: [resource.name], replace: false, replaceAll: isWhole },
        ...{ commitRows: settings.ingest_commit_rows, maxRejects: undefined },
      }),
    onProgress({ walk, page, totalPages, records }) {
      const again = walk > 1 ? `, walk ${walk}` : ''
      note(`page ${page} of ${totalPages}, ${records} ${resource.name}${again}`)
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
  } finally {
    steps.stop()
  }
}

/** Yields all rows of a table, read by the embedded engine. */
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
