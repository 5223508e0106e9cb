import type { AddressInfo } from 'node:net'
import { fail, sentenceOf } from '../../errors.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import { keepDerived } from '../../maintenance/keep-derived.ts'
import { buildServer } from '../../server/build-server.ts'
import { specified } from '../../server/dialect/dialect.ts'
import { relay } from '../../server/dialect/relay.ts'
import { type Example, examplesOf } from '../../server/examples.ts'
import { followLake } from '../../server/served-snapshots.ts'
import { countUnderWay } from '../../server/under-way.ts'
import { openKeys, openServices } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import { linkToParent } from '../../workers/parent-link.ts'
import { type Answering, type Around, serveAsWorker } from '../serving/as-worker.ts'
import { builtBy, openBuilder } from '../serving/builder.ts'
import { serveByWorkers } from '../serving/by-workers.ts'
import { closeSilentConnections, finishConnections } from '../serving/connections.ts'
import { reporter } from '../serving/reporter.ts'
import { onStop } from '../serving/stopping.ts'
import type { Print } from '../terminal-text.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Serves a lake until a signal comes; then answers what is under way and stops within ten seconds. */
export async function serve(settings: Settings, print: Print): Promise<void> {
  const link = linkToParent()
  if (link !== undefined) return await serveAsWorker(link, settings, answer)
  if (settings.compat === '' && relay.networks.includes(settings.network)) warnOfNetwork(settings.network)
  if (settings.workers > 1) return await serveByWorkers(settings, print)
  const builder = openBuilder(settings)
  const { lines } = await answer(settings, {
    report: reporter(),
    build: builder.build,
    closeBuilder: builder.close,
  })
  for (const line of lines) print(line)
}

/** Answers requests in this process. Errors: ServiceError when it must not or cannot; then everything is closed. */
async function answer(settings: Settings, around: Around): Promise<Answering> {
  const { report, build } = around
  const { keys, counter, close: closeKeys } = await openKeys(settings, report, around.countsFolder)
  if (!settings.open && !keys.isLocked() && !LOOPBACK.test(settings.host)) {
    await closeKeys()
    fail(
      'malformed_request',
      `Refusing to listen on ${settings.host} without API keys, since others can reach it. Add a key ` +
        '(ledgerlake keys add --name NAME), or use --host 127.0.0.1, or --open for everybody.',
    )
  }
  const dialect = settings.compat === 'relay' ? relay : specified
  const services = await openServices(settings, { spelling: dialect.spelling })
  const snapshots = await followLake(services.lake, settings.refresh_ms, services.warm, report)
  const derived = services.derived.map((one) => ({ ...one, build: builtBy(build) }))
  const keeper = keepDerived(derived, snapshots.current, report)
  let draining = false
  const server = buildServer({
    repository: services.repository,
    snapshots,
    keys,
    counter,
    network: settings.network,
    dialect,
    requestTimeoutMs: settings.request_timeout_ms,
    mostRequests: settings.most_requests,
    exports: {
      most: settings.most_exports,
      timeoutMs: settings.export_timeout_ms,
      stallMs: settings.export_stall_ms,
    },
    answerMemoryMb: settings.answer_memory_mb,
    origins: settings.cors,
    log: { access: settings.access_log, write: (line) => process.stderr.write(line) },
    isDraining: () => draining,
    gatherMetrics: around.gatherMetrics,
  })
  const answering = countUnderWay(server)
  const close = async () => {
    await Promise.all([server.close(), closeSilentConnections(server.server, answering)])
    await keeper.close()
    await around.closeBuilder?.()
    await snapshots.close()
    await closeKeys()
    await services.close()
  }
  let closing: Promise<void> | undefined
  // A worker may be told by a signal and by its parent.
  const stop = () => {
    closing ??= close()
    return closing
  }
  const grace = onStop(around.isWorker === true, async (error) => {
    if (error !== undefined) report(error)
    draining = true
    await stop()
  })
  await server.listen({ host: settings.host, port: settings.port }).catch(async (error) => {
    grace.uninstall()
    await stop()
    refusePort(error, settings)
  })
  return {
    lines: linesOf(settings, server.server.address() as AddressInfo, keys.isLocked(), snapshots.current()),
    stop: () => grace.close(),
    async retire() {
      await finishConnections(server.server)
      grace.close()
    },
  }
}

/** What is printed once it listens: the address, and requests to begin with. */
function linesOf(
  settings: Settings,
  { port }: AddressInfo,
  isLocked: boolean,
  current: Snapshot | undefined,
): readonly string[] {
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  const address = `http://${host}:${port}`
  const first = `ledgerlake serves ${settings.lake} at ${address}/`
  if (current === undefined)
    return [first, `It is empty and waits for: ledgerlake ingest PATH... --lake ${settings.lake}`]
  const examples = examplesOf(`/v1/${settings.network}`, current).filter((example) => example.isAnswered)
  if (examples.length === 0) return [first]
  const withKey = isLocked ? '-H "Authorization: Bearer $KEY" ' : ''
  return [
    first,
    `Open that address in a browser, or ask${isLocked ? ' with one of its keys' : ''}:`,
    ...someOf(examples).map((example) => `  curl ${withKey}"${address}${example.address}"`),
  ]
}

/** Such an address attracts clients of the hosted service, of which some would take the first page for all. */
function warnOfNetwork(network: string): void {
  process.stderr.write(
    `ledgerlake: warning: --network ${network} without --compat relay. Clients of the hosted service read meta.pagination, which ` +
      'replies lack without it; they may stop after the first page and report no error. Pass --compat relay to serve them.\n',
  )
}

/** The first three, and one of the L1 ledger. */
function someOf(examples: readonly Example[]): readonly Example[] {
  const ledger = examples.find(({ path }) => path.includes('/l1/'))
  return [...new Set([...examples.slice(0, 3), ...(ledger === undefined ? [] : [ledger])])]
}

function refusePort(error: NodeJS.ErrnoException, settings: Settings): never {
  if (error.code === 'EADDRINUSE') {
    const sentence = `Port ${settings.port} of ${settings.host} is taken; choose another with --port.`
    fail('address_in_use', sentence, { cause: error })
  }
  fail('malformed_request', `Cannot listen on ${settings.host}:${settings.port}: ${sentenceOf(error)}.`, {
    cause: error,
  })
}
