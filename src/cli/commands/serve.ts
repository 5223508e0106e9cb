import { mkdir } from 'node:fs/promises'
import type { Command } from 'commander'
import { linkToParent } from '../../base/processes/parent-link.ts'
import { relay } from '../../doors/dialect/relay.ts'
import { openLogger } from '../../doors/hooks/log.ts'
import { type SettingName, type Settings, settingRows } from '../../services/settings/settings.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { answer } from '../serving/answer.ts'
import { serveAsWorker } from '../serving/as-worker.ts'
import { openBuilder } from '../serving/builder.ts'
import { serveByWorkers } from '../serving/by-workers.ts'
import { damageLog } from '../serving/damage-log.ts'
import { logOf, reporter } from '../serving/reporter.ts'
import { keepSynced, type SyncKeeper } from '../serving/sync-keeper.ts'
import { print, printLines } from '../terminal-text.ts'

export function addServeCommand(program: Command): void {
  const sharedSettings: readonly SettingName[] = ['ingest_commit_rows', 'cache_dir']
  const serving = settingRows.map(({ name }) => name).filter((name) => !sharedSettings.includes(name))
  withSettings(
    program.command('serve').description('Answer REST and GraphQL requests from the lake.'),
    serving,
  ).action((flags: Flags) => serve(settingsFrom(flags)))
}

/** Serves until SIGINT or SIGTERM, then finishes requests in flight for at most ten seconds. */
async function serve(settings: Settings): Promise<void> {
  const link = linkToParent()
  if (link !== undefined) return await serveAsWorker(link, answer)
  const logger = openLogger(logOf(settings))
  if (settings.compat === '' && relay.networks.includes(settings.network))
    logger.warn(warningOfNetwork(settings.network))
  // Sources will fill a missing lake.
  if (settings.sync.length > 0) await mkdir(settings.lake, { recursive: true })
  if (settings.workers > 1) return await serveByWorkers(settings, logger, print)
  const builder = openBuilder(settings)
  let synced: SyncKeeper | undefined
  const { lines } = await answer(settings, {
    report: reporter(logger),
    say: (sentence) => logger.error(sentence),
    build: builder.build,
    async closeBuilder() {
      await Promise.all([builder.close(), synced?.close()])
    },
    onVerdict: damageLog(settings.lake, logger),
  })
  printLines(lines)
  synced = keepSynced(settings, (sentence) => logger.warn(sentence))
}

/**
 * Warns about an address that attracts clients of the hosted service: some would take the first page for the whole
 * list.
 */
function warningOfNetwork(network: string): string {
  return (
    `--network ${network} without --compat relay. Clients of the hosted service read meta.pagination, which ` +
    'replies lack without it; they may stop after the first page and report no error. Pass --compat relay to serve them.'
  )
}
