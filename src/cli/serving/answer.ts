import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { logBackgroundErrorsTo } from '../../base/background.ts'
import { CloseStack } from '../../base/close-stack.ts'
import { fail, ServiceError, sentenceOf } from '../../base/errors.ts'
import { buildServer } from '../../doors/build-server.ts'
import { specifiedDialect } from '../../doors/dialect/dialect.ts'
import { relay } from '../../doors/dialect/relay.ts'
import { openLogger } from '../../doors/hooks/log.ts'
import { openRequestCounter } from '../../doors/http/open-requests.ts'
import { openCertificate } from '../../doors/http/tls.ts'
import { followLake } from '../../doors/snapshots/served-snapshots.ts'
import { keepDerived } from '../../index/maintenance/keep-derived.ts'
import { readOriginMark } from '../../lake/disk/origin-mark.ts'
import { keepChecked } from '../../lake/integrity/keep-checked.ts'
import { openReader } from '../../lake/runs/readers.ts'
import { openKeys } from '../../services/keys.ts'
import { serverOptions } from '../../services/library/server-options.ts'
import { openServices } from '../../services/services.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { servedSql } from '../../services/sql.ts'
import { builtBy } from './builder.ts'
import { collectAlone } from './collector.ts'
import { closeSilentConnections, finishConnections } from './connections.ts'
import { firstLines } from './first-lines.ts'
import { giveBackWhenQuiet } from './give-back.ts'
import { LOOPBACK } from './loopback.ts'
import { mostConnections, readOpenFiles } from './open-files.ts'
import { postgresOf, refuseOpenPostgres } from './postgres.ts'
import { logOf, stopping } from './reporter.ts'
import type { RunningServer, ServerHooks } from './running-server.ts'
import { sharingOf } from './sharing.ts'
import { onStop } from './stopping.ts'

/** Opens a lake and serves requests in this process. Errors: ServiceError if it cannot; then everything is closed. */
export async function answer(settings: Settings, around: ServerHooks): Promise<RunningServer> {
  const opened = new CloseStack()
  try {
    return await openAndListen(settings, around, opened)
  } catch (error) {
    // Report the first error, not those of closing.
    await opened.close().catch(() => {})
    throw error
  }
}

async function openAndListen(
  settings: Settings,
  around: ServerHooks,
  opened: CloseStack,
): Promise<RunningServer> {
  const { report, build, isWorker = false } = around
  logBackgroundErrorsTo(report)
  const log = logOf(settings)
  const logger = openLogger(log)
  const certificate = await openCertificate(settings.tls_cert, settings.tls_key)
  const { keys, counter, close: closeKeys } = await openKeys(settings, report, around.countsFolder)
  opened.add(closeKeys)
  if (!settings.open && !keys.isLocked() && !LOOPBACK.test(settings.host)) {
    fail(
      'malformed_request',
      `Refusing to listen on ${settings.host} without API keys, since others can reach it. Add a key ` +
        '(ledgerlake keys add --name NAME, with --link URL for a browser), or use --host 127.0.0.1, or --open for everybody.',
    )
  }
  refuseOpenPostgres(settings, keys.isLocked())
  if (settings.open && keys.isLocked()) report('--open has no effect: there are keys, so requests need one.')
  const dialect = settings.compat === 'relay' ? relay : specifiedDialect
  const services = await openServices(settings, {
    spelling: dialect.spelling,
    report: around.say,
    onVerdict: around.onVerdict,
    onUnread: report,
  })
  opened.add(services.close)
  const reader = await openReader(settings.lake)
  opened.add(reader.close)
  const linkMs = settings.share ? settings.share_link_minutes * 60_000 : 0
  const longestMs = Math.max(settings.request_timeout_ms, settings.export_timeout_ms, linkMs)
  const snapshots = await followLake(services.lake, settings.refresh_ms, services.warm, report, {
    reader,
    longestMs,
  })
  opened.add(snapshots.close)
  const derived = services.derived.map((one) => ({ ...one, build: builtBy(build) }))
  const keeper = keepDerived(derived, snapshots.current, report)
  if (around.closeBuilder !== undefined) opened.add(around.closeBuilder)
  opened.add(keeper.close)
  if (around.atEnd !== undefined) opened.add(around.atEnd)
  const scrub = {
    bytesPerSecond: settings.scrub_mb_per_second * 2 ** 20,
    periodMs: settings.scrub_hours * 3_600_000,
    isMine: around.mayScrub,
    // Do not download files of a copy only to scrub them.
    ...(readOriginMark(settings.lake) !== undefined && { isHere: existsSync }),
  }
  const scrubber = keepChecked(services.checkedFiles, snapshots.current, scrub, report)
  opened.add(scrubber.close)
  const { sqlThreads = settings.engine_threads } = around
  const sql = servedSql({ ...settings, engine_threads: sqlThreads }, report)
  opened.add(sql.close)
  const openFilesLimit = mostConnections(readOpenFiles())
  let draining = false
  const server = buildServer({
    ...serverOptions(settings, services),
    snapshots,
    keys,
    counter,
    dialect,
    outside: settings.public_url,
    trustProxy: settings.trust_proxy,
    certificate,
    // Clients behind a proxy use other names.
    isForOneMachine: LOOPBACK.test(settings.host) && !settings.open && settings.trust_proxy === false,
    openSql: sql.open,
    sqlEndings: sql.endings,
    isSqlOpen: settings.open_sql,
    postgres: postgresOf(settings, around, { open: sql.open, certificate, most: openFilesLimit }),
    sharing: await sharingOf(settings, around.shareSecret),
    metricsAddress: settings.metrics_listen,
    areMetricsLocked: settings.lock_metrics,
    mostConnections: openFilesLimit,
    log,
    isDraining: () => draining,
    gatherMetrics: around.gatherMetrics,
  })
  const answering = openRequestCounter(server)
  around.connections?.watch(server.server)
  opened.add(() => Promise.all([server.close(), closeSilentConnections(server.server, answering)]))
  collectAlone()
  opened.add(giveBackWhenQuiet(services.giveBack))
  let closing: Promise<void> | undefined
  // A signal and the parent may both stop a worker.
  const stop = () => {
    closing ??= opened.close()
    return closing
  }
  const grace = onStop(isWorker, async (error) => {
    if (error !== undefined) logger.fatal({ err: error }, `an unexpected error: ${sentenceOf(error)}`)
    if (!isWorker) logger.info(stopping)
    draining = true
    await stop()
  })
  const scheme = certificate === undefined ? 'http' : 'https'
  const listenTextResolver = (address: string) => `listening at ${address.replace(/^http/, scheme)}`
  await server
    .listen({ host: settings.host, port: settings.port, listenTextResolver })
    .catch(async (error) => {
      grace.uninstall()
      await stop()
      refusePort(error, settings)
    })
  const address = server.server.address() as AddressInfo
  return {
    lines: firstLines(settings, {
      ...{ scheme, address, isLocked: keys.isLocked() },
      ...{ current: snapshots.current(), queries: dialect.queries },
    }),
    learn: (verdict) => services.checkedFiles.verdicts.learn(verdict),
    stop: () => grace.close(),
    async retire() {
      around.connections?.leave()
      await finishConnections(server.server)
      grace.close()
    },
  }
}

/** Returns true if npm started the program; npm sets the name of its script. */
const isNpmStart = () => process.env.npm_lifecycle_event === 'start'

function refusePort(error: NodeJS.ErrnoException, settings: Settings): never {
  if (error instanceof ServiceError) throw error
  if (error.code === 'EADDRINUSE') {
    const another = isNpmStart() ? 'start with LEDGERLAKE_PORT=9000 npm start' : 'choose another with --port'
    const sentence = `Port ${settings.port} of ${settings.host} is taken; ${another}.`
    fail('address_in_use', sentence, { cause: error })
  }
  fail('malformed_request', `Cannot listen on ${settings.host}:${settings.port}: ${sentenceOf(error)}.`, {
    cause: error,
  })
}
