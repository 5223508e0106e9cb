import { type Command, InvalidArgumentError } from 'commander'
import { followedResources } from '../../operate/sync/records/followed.ts'
import { serviceAddress } from '../../operate/sync/records/service-address.ts'
import { writerSettings } from '../../services/row-writer.ts'
import { runSyncRecords, type SyncRecordsFlags } from '../commands/sync/sync-records.ts'
import { positiveNumber } from '../flags/flag-values.ts'
import { flagsTakenBy } from '../flags/taken-flags.ts'
import { withRepeating } from '../flags/with-repeating.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'

/** Adds a command to `sync` for each table whose records a service lists. */
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
