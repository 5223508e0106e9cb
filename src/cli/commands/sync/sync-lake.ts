import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { sentenceOf } from '../../../base/errors.ts'
import { changeAlone } from '../../../lake/runs/change-alone.ts'
import { followShared } from '../../../operate/follow/follow-shared.ts'
import { sharingEndpoint } from '../../../operate/follow/sharing-endpoint.ts'
import { openSharingOrigin, type SharingOrigin } from '../../../operate/follow/sharing-origin.ts'
import { checkKey } from '../../../operate/http-client/private-address.ts'
import { changeSyncState, sourceFolder } from '../../../operate/sync/sync-state.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import { openRowWriter } from '../../../services/row-writer.ts'
import { type Settings, secretOf } from '../../../services/settings/settings.ts'
import { flagParser } from '../../flags/flag-values.ts'
import { sizeText } from '../../terminal-text.ts'
import { runSync, type SyncFlags, type SyncResult, type SyncTools } from './run-sync.ts'
import { addServiceAction } from './sync-command.ts'
import { followedLines } from './sync-lines.ts'

/** Adds the subcommand of `sync` that follows another ledgerlake. */
export function addSyncLakeCommand(sync: Command): void {
  const command = sync
    .command('lake')
    .description('Make the lake a copy of the one that another ledgerlake serves with --share.')
    .requiredOption('--url <url>', 'the other ledgerlake: https://lake.example.org', endpoint)
    .addHelpText(
      'after',
      '\nAn API key with the feature Share is read from LEDGERLAKE_SYNC_KEY in the environment alone.',
    )
  addServiceAction(sync, command, runSyncLake)
}

const endpoint = flagParser(
  sharingEndpoint,
  'Use an address such as https://lake.example.org, without a user; the key is read from LEDGERLAKE_SYNC_KEY.',
)

/** Parsed flags. `url` is the Delta Sharing endpoint of a ledgerlake. */
interface SyncLakeFlags extends SyncFlags {
  readonly url: string
}

/**
 * Copies a lake that another ledgerlake shares, once or repeatedly. Returns the exit code 0 when the copy has the
 * served snapshot.
 * Errors: `malformed_request`, `source_unreadable`, `lake_damaged`, `lake_unwritable`.
 */
async function runSyncLake(settings: Settings, flags: SyncLakeFlags): Promise<number> {
  const key = secretOf('sync_key')
  checkKey(key, flags.url)
  const origin = openSharingOrigin({ endpoint: flags.url, key })
  const run = runSync(settings, flags, (tools) => synchronize(settings, origin, tools))
  return await run.finally(() => origin.close())
}

async function synchronize(
  settings: Settings,
  origin: SharingOrigin,
  { signal, note }: SyncTools,
): Promise<SyncResult> {
  const source = { folder: sourceFolder(stateFolderOf(settings), origin.name), address: origin.name }
  const request = {
    ...{ lake: settings.lake, origin, signal },
    openWriter: (spillFolder: string) => openRowWriter(settings, spillFolder),
    onProgress: ({ files, bytes }: { readonly files: number; readonly bytes: number }) =>
      note(`${files} files, ${sizeText(bytes)}`),
  }
  try {
    await mkdir(source.folder, { recursive: true })
    const followed = await changeAlone(join(source.folder, 'run'), () => followShared(request))
    await changeSyncState(source, { doneAt: Date.now(), problem: null })
    const lines = (seconds: number) => followedLines(origin.name, followed, seconds)
    return { summary: followed, lines, isChanged: followed.commits > 0, isComplete: true }
  } catch (error) {
    if (!signal.aborted) await changeSyncState(source, { problem: sentenceOf(error) })
    throw error
  }
}
