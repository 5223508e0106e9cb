import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { sentenceOf } from '../../../base/errors.ts'
import { changeAlone } from '../../../lake/runs/change-alone.ts'
import { followShared } from '../../../operate/follow/follow-shared.ts'
import { sharingEndpoint } from '../../../operate/follow/sharing-endpoint.ts'
import { openSharingOrigin, type SharingOrigin } from '../../../operate/follow/sharing-origin.ts'
import { checkKey } from '../../../operate/http-client/private-address.ts'
import { changeSyncState, sourceFolder } from '../../../operate/sync/sync-state.ts'
import { stateFolderOf } from '../../../services/folders.ts'
import { openRowWriter, writerSettings } from '../../../services/row-writer.ts'
import { type Settings, secretOf } from '../../../settings/settings.ts'
import { buildWithSteps } from '../../building/build-with-steps.ts'
import { flagsTakenBy } from '../../flags/taken-flags.ts'
import { withRepeating } from '../../flags/with-repeating.ts'
import { type Flags, print, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { openStepLine, seldom } from '../../progress.ts'
import { type Repeated, type RunLog, runOnceOrRepeatedly } from '../../repeated/once-or-again.ts'
import { type Print, sizeText } from '../../terminal-text.ts'
import { followedLines, jsonOf } from './sync-lines.ts'

/** Adds the subcommand of `sync` that follows another ledgerlake. */
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

/** Parsed flags. `url` is the Delta Sharing endpoint of a ledgerlake. */
interface SyncLakeFlags extends Repeated {
  readonly url: string
  readonly json?: true
}

/**
 * Copies a lake that another ledgerlake shares, once or repeatedly. Returns the exit code 0 when the copy has the
 * served snapshot.
 * Errors: `malformed_request`, `source_unreadable`, `lake_damaged`, `lake_unwritable`.
 */
async function runSyncLake(settings: Settings, flags: SyncLakeFlags, print: Print): Promise<number> {
  const key = secretOf('sync_key')
  checkKey(key, flags.url)
  const origin = openSharingOrigin({ endpoint: flags.url, key })
  return await runOnceOrRepeatedly(
    settings,
    (signal, log) => synchronize(settings, origin, flags, signal, log),
    flags,
    print,
  ).finally(() => origin.close())
}

async function synchronize(
  settings: Settings,
  origin: SharingOrigin,
  flags: SyncLakeFlags,
  signal: AbortSignal,
  { say }: RunLog,
): Promise<number> {
  const steps = openStepLine(process.stderr)
  const started = performance.now()
  const source = { folder: sourceFolder(stateFolderOf(settings), origin.name), address: origin.name }
  const note = seldom(steps.begin)
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
    steps.stop()
    const lines = followedLines(origin.name, followed, (performance.now() - started) / 1000)
    for (const line of flags.json ? jsonOf(followed) : lines) say(line)
    if (followed.commits > 0 && !flags.besideServer) await buildWithSteps(settings)
    return 0
  } catch (error) {
    if (!signal.aborted) await changeSyncState(source, { problem: sentenceOf(error) })
    throw error
  } finally {
    steps.stop()
  }
}
