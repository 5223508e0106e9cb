import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inBackground, logBackgroundErrorsTo } from '../../base/background.ts'
import { ServiceError, sentenceOf } from '../../base/errors.ts'
import { openConnectionCounts } from '../../base/processes/balance-connections.ts'
import { FIRST_INHERITED } from '../../base/processes/fork-program.ts'
import { supervise, type Workers } from '../../base/processes/supervise.ts'
import { openWholeMetrics, type Samples } from '../../doors/monitoring/whole-metrics.ts'
import { readVerdict, type WrittenVerdict } from '../../lake/integrity/verdict.ts'
import { canKeepCounts } from '../../services/keys.ts'
import type { Settings } from '../../services/settings/settings.ts'
import type { Print } from '../terminal-text.ts'
import { openBuilder } from './builder.ts'
import { damageLog } from './damage-log.ts'
import { isLogged, type Logger, reporterOfMany, stopping } from './reporter.ts'
import { openShareSecret } from './sharing.ts'
import { onParentStop } from './stopping.ts'
import { keepSynced } from './sync-keeper.ts'

/** Timeout for the samples of a worker; after it, its last samples are used. */
const SAMPLES_MS = 1000

/** Serves by several workers on one port. Errors: ServiceError with the reason why they cannot listen. */
export async function serveByWorkers(settings: Settings, logger: Logger, print: Print): Promise<void> {
  const errors = reporterOfMany((sentence) => logger.error(sentence))
  logBackgroundErrorsTo((error) => isLogged(error) || errors.report(0, sentenceOf(error)))
  const builder = openBuilder(settings)
  const metrics = openWholeMetrics()
  const countsFolder = (await canKeepCounts(settings)) ? undefined : await temporaryCounts()
  if (countsFolder !== undefined)
    process.on('exit', () => rmSync(countsFolder, { recursive: true, force: true }))
  const logDamage = damageLog(settings.lake, logger)
  const shareSecret = settings.share ? (await openShareSecret(settings)).toString('hex') : undefined
  const connections = openConnectionCounts()
  let workers: Workers | undefined
  /** The worker that scrubs idle files. */
  let scrubber: number | undefined

  /** Sends a message of one worker to all others. */
  function share(worker: number, kind: 'verdict' | 'cancel', value: unknown): void {
    for (const other of workers?.running() ?? [])
      if (other.number !== worker) other.channel.request(kind, value).catch(() => {})
  }

  async function metricsOfAll(): Promise<string> {
    const requests = (workers?.running() ?? []).map(async ({ number, channel }) => {
      const samples = await Promise.race([
        channel.request('samples').catch(() => undefined),
        setTimeout(SAMPLES_MS),
      ])
      if (samples !== undefined) metrics.keep(number, samples as Samples)
    })
    await Promise.all(requests)
    return await metrics.text()
  }

  workers = await supervise({
    count: settings.workers,
    inherited: connections === undefined ? [] : [connections.descriptor],
    handlers: (worker) => ({
      settings: () => settings,
      connectionCounts: () => connections && FIRST_INHERITED,
      countsFolder: () => countsFolder,
      shareSecret: () => shareSecret,
      report: (sentence) => errors.report(worker, String(sentence)),
      say: (sentence) => logger.error(String(sentence)),
      build: builder.build,
      metrics: metricsOfAll,
      lastSamples: (samples) => samples && metrics.keep(worker, samples as Samples),
      verdict(verdict) {
        logDamage(readVerdict(verdict as WrittenVerdict))
        share(worker, 'verdict', verdict)
      },
      cancel: (key) => share(worker, 'cancel', key),
      mayScrub() {
        scrubber ??= worker
        return scrubber === worker
      },
    }),
    onEnd(worker) {
      if (scrubber === worker) scrubber = undefined
      errors.end(worker)
      connections?.remove(worker)
      inBackground('keeping the counts of a worker', () => metrics.end(worker))
    },
    say: (sentence) => logger.warn(sentence),
    onNoneLeft(error) {
      logger.error('No worker is left.')
      process.exit(error instanceof ServiceError ? error.exit : 1)
    },
  })
  process.on('exit', () => {
    for (const worker of workers.running()) worker.kill()
  })
  onParentStop(workers.restart, async (error) => {
    if (error !== undefined) logger.fatal({ err: error }, `an unexpected error: ${sentenceOf(error)}`)
    logger.info(stopping)
    const [endings] = await Promise.all([workers.stop(), builder.close(), synced.close()])
    if (endings.some(({ code }) => code !== 0)) process.exit(1)
  })
  for (const line of workers.lines) print(line)
  const synced = keepSynced(settings, (sentence) => logger.warn(sentence))
}

/** Creates a folder for counts that workers share until the server stops, if the folder of the keys is not writable. */
function temporaryCounts(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'ledgerlake-counts-'))
}
