import type { Command } from 'commander'
import { Lake } from '../../../lake/snapshot/lake.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import { checkKey } from '../../../operate/http-client/private-address.ts'
import { type FollowedResource, followedResources } from '../../../operate/sync/records/followed-resources.ts'
import { serviceAddress } from '../../../operate/sync/records/service-address.ts'
import { syncRecords } from '../../../operate/sync/records/sync-records.ts'
import { sourceFolder } from '../../../operate/sync/sync-state.ts'
import { commitTarget } from '../../../services/copies.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import { openServices } from '../../../services/services.ts'
import { type Settings, secretOf } from '../../../services/settings/settings.ts'
import { ingest } from '../../../write/ingest/pipeline.ts'
import { flagParser, positiveNumber } from '../../flags/flag-values.ts'
import { runSync, type SyncFlags, type SyncResult, type SyncTools } from './run-sync.ts'
import { addServiceAction } from './sync-command.ts'
import { recordsLines } from './sync-lines.ts'

/** Adds a subcommand of `sync` for each table whose records a service lists. */
export function addSyncRecordsCommands(sync: Command): void {
  for (const resource of followedResources) {
    const command = sync
      .command(resource.name)
      .description(`Merge the ${resource.name} that a service lists into the lake.`)
      .requiredOption('--url <url>', 'the service up to its network: https://api.example.org/v1/net', service)
      .option('--rate <n>', 'the most requests in a minute', rate, 60)
      .option('--replace-all', 'rows that the service does not have go away, if its whole list is known')
      .addHelpText(
        'after',
        '\nThe API key of the service is read from LEDGERLAKE_SYNC_KEY in the environment alone.',
      )
    addServiceAction(sync, command, (settings, flags: SyncRecordsFlags) =>
      runSyncRecords(settings, resource, flags),
    )
  }
}

const service = flagParser(
  serviceAddress,
  'Use an address such as https://api.example.org/v1/net, without a user; the key is read from LEDGERLAKE_SYNC_KEY.',
)

const rate = flagParser((text) => {
  const number = positiveNumber(text)
  return number <= 60_000 ? number : undefined
}, 'Use a whole number from 1 to 60000.')

/** Parsed flags. `url` is the address of a service up to its network. */
interface SyncRecordsFlags extends SyncFlags {
  readonly url: string
  /** Limit on requests per minute. */
  readonly rate: number
  readonly replaceAll?: true
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
): Promise<number> {
  const key = secretOf('sync_key')
  checkKey(key, flags.url)
  return await runSync(settings, flags, (tools) => synchronize(settings, resource, flags, key, tools))
}

async function synchronize(
  settings: Settings,
  resource: FollowedResource,
  { url: address, rate: ratePerMinute, replaceAll }: SyncRecordsFlags,
  key: string,
  { signal, note }: SyncTools,
): Promise<SyncResult> {
  const summary = await syncRecords({
    ...{
      lake: settings.lake,
      resource,
      address,
      ratePerMinute,
      key,
      signal,
      isReplacing: replaceAll === true,
    },
    folder: sourceFolder(stateFolderOf(settings), `${address}${resource.rest.path}`),
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
  })
  const { left, kept, certainty, changed, removed } = summary
  return {
    summary,
    lines: () => recordsLines(resource.name, address, summary),
    isChanged: changed + removed > 0,
    isComplete: left.length === 0 && kept === null && certainty !== 'unsettled',
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
