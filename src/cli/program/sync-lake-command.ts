import { type Command, InvalidArgumentError } from 'commander'
import { sharingEndpoint } from '../../operate/follow/sharing-endpoint.ts'
import { writerSettings } from '../../services/row-writer.ts'
import { runSyncLake, type SyncLakeFlags } from '../commands/sync/sync-lake.ts'
import { flagsTakenBy } from '../flags/taken-flags.ts'
import { withRepeating } from '../flags/with-repeating.ts'
import { type Flags, print, settingsFrom, withSettings } from '../flags/with-settings.ts'

/** Adds the command to `sync` that follows another ledgerlake. */
export function addSyncLakeCommand(sync: Command): void {
  const command = sync
    .command('lake')
    .description('Make the lake a copy of the one that another ledgerlake serves with --share.')
    .requiredOption('--url <url>', 'the other ledgerlake: https://lake.example.org', door)
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      '\nAn API key with the feature Share is read from LEDGERLAKE_SYNC_KEY in the environment alone.',
    )
  const settings = ['lake', 'state', ...writerSettings, 'ingest_commit_rows', 'engine_memory_mb'] as const
  withSettings(withRepeating(command), settings).action(async (own: Flags) => {
    const flags = { ...own, ...flagsTakenBy(sync, command) } as Flags & SyncLakeFlags
    process.exitCode = await runSyncLake(settingsFrom(flags), flags, print)
  })
}

function door(text: string): string {
  const endpoint = sharingEndpoint(text)
  if (endpoint !== undefined) return endpoint
  throw new InvalidArgumentError(
    'Use an address such as https://lake.example.org, without a user; the key is read from LEDGERLAKE_SYNC_KEY.',
  )
}
