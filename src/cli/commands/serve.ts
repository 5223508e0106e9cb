import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { fail, sentenceOf } from '../../errors.ts'
import { keepDerived } from '../../maintenance/keep-derived.ts'
import { buildServer } from '../../server/build-server.ts'
import { specified } from '../../server/dialect/dialect.ts'
import { relay } from '../../server/dialect/relay.ts'
import { type Example, examplesOf } from '../../server/examples.ts'
import { followLake } from '../../server/served-snapshots.ts'
import { countUnderWay } from '../../server/under-way.ts'
import { openKeys, openServices } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import type { Print } from '../terminal-text.ts'

const DRAIN_MS = 9_000
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Serves a lake until a signal comes; then answers what is under way and stops within ten seconds. */
export async function serve(settings: Settings, print: Print): Promise<void> {
  const { keys, usage, close: closeKeys } = await openKeys(settings, reporter())
  if (!settings.open && !keys.isLocked() && !LOOPBACK.test(settings.host)) {
    await closeKeys()
    fail(
      'malformed_request',
      `Refusing to listen on ${settings.host} without API keys, since others can reach it. Add a key ` +
        '(ledgerlake keys add --name NAME), or use --host 127.0.0.1, or --open for everybody.',
    )
  }
  const dialect = settings.compat === 'relay' ? relay : specified
  if (dialect !== relay && relay.networks.includes(settings.network)) warnOfNetwork(settings.network)
  const services = await openServices(settings, { spelling: dialect.spelling })
  const report = reporter()
  const snapshots = await followLake(services.lake, settings.refresh_ms, services.warm, report)
  const keeper = keepDerived(services.derived, snapshots.current, report)
  let draining = false
  const server = buildServer({
    repository: services.repository,
    snapshots,
    keys,
    usage,
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
  })
  const answering = countUnderWay(server)
  const stop = async () => {
    await Promise.all([server.close(), closeSilentConnections(server.server, answering)])
    await keeper.close()
    await snapshots.close()
    await closeKeys()
    await services.close()
  }
  const grace = closeWithGrace({ delay: DRAIN_MS }, async ({ err }) => {
    if (err !== undefined) report(err)
    draining = true
    await stop()
  })
  await server.listen({ host: settings.host, port: settings.port }).catch(async (error) => {
    grace.uninstall()
    await stop()
    refusePort(error, settings)
  })
  const { port } = server.server.address() as AddressInfo
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  const address = `http://${host}:${port}`
  print(`ledgerlake serves ${settings.lake} at ${address}/`)
  const current = snapshots.current()
  if (current === undefined) {
    print(`It is empty and waits for: ledgerlake ingest PATH... --lake ${settings.lake}`)
    return
  }
  const examples = examplesOf(`/v1/${settings.network}`, current, dialect.queries).filter(
    (example) => example.isAnswered,
  )
  if (examples.length === 0) return
  print(`Open that address in a browser, or ask${keys.isLocked() ? ' with one of its keys' : ''}:`)
  const withKey = keys.isLocked() ? '-H "Authorization: Bearer $KEY" ' : ''
  for (const example of someOf(examples)) print(`  curl ${withKey}"${address}${example.address}"`)
}

/** Such an address attracts clients of the hosted service, of which some would take the first page for all. */
function warnOfNetwork(network: string): void {
  process.stderr.write(
    `ledgerlake: warning: --network ${network} without --compat relay. Clients of the hosted service read meta.pagination, which ` +
      'replies lack without it; they may stop after the first page and report no error. Pass --compat relay to serve them.\n',
  )
}

/** Files are checked again and again; an error that repeats is printed once. */
function reporter(): (error: unknown) => void {
  let lastSaid = ''
  return (error) => {
    if (sentenceOf(error) !== lastSaid) process.stderr.write(`ledgerlake: ${sentenceOf(error)}\n`)
    lastSaid = sentenceOf(error)
  }
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

const LOOK_AGAIN_MS = 50

/** Browsers open spare connections that never ask anything; nothing is lost when they go. */
async function closeSilentConnections(server: Server, answering: () => number): Promise<void> {
  // At first too: what has arrived may not have been read yet.
  do await setTimeout(LOOK_AGAIN_MS)
  while (answering() > 0)
  server.closeAllConnections()
}
