import type { Command } from 'commander'
import { sentenceOf } from '../../base/errors.ts'
import { openLogger } from '../../doors/hooks/log.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { buildSettings } from '../serving/builder.ts'
import { logOf } from '../serving/reporter.ts'

export function addBuildDerivedCommand(program: Command): void {
  withSettings(
    program.command('build-derived', { hidden: true }).description('Part of serve.'),
    buildSettings,
  ).action((flags: Flags) => buildDerivedAlone(settingsFrom(flags)))
}

/**
 * Builds the indexes that the newest snapshot lacks, until the parent closes the pipe. Logs errors: without an index,
 * responses are only slower.
 */
async function buildDerivedAlone(settings: Settings): Promise<void> {
  lowerPriority()
  const logger = openLogger(logOf(settings))
  const stop = new AbortController()
  for (const event of ['disconnect', 'SIGTERM', 'SIGINT', 'SIGHUP']) process.on(event, () => stop.abort())
  const services = await openServices(settings)
  try {
    for (const one of services.derived) {
      if (stop.signal.aborted) break
      await one.build(await services.lake.latest(), { signal: stop.signal }).catch((error) => {
        if (!stop.signal.aborted) logger.error(`${one.speedsUp} stay slow: ${sentenceOf(error)}`)
      })
    }
  } finally {
    await services.close()
    if (process.connected) process.disconnect()
  }
}
