import type { AddressInfo } from 'node:net'
import closeWithGrace from 'close-with-grace'
import { fail, sentenceOf } from '../../errors.ts'
import { buildServer } from '../../server/build-server.ts'
import { followLake } from '../../server/served-snapshots.ts'
import { openServices } from '../../services.ts'
import type { Settings } from '../../settings.ts'

const DRAIN_MS = 9_000
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Serves a lake until a signal comes; then answers what is under way and stops within ten seconds. */
export async function serve(settings: Settings, print: (line: string) => void): Promise<void> {
  if (!settings.open && !LOOPBACK.test(settings.host)) {
    fail(
      'malformed_request',
      `--host is ${settings.host}, which others can reach; 127.0.0.1, ::1 or localhost is accepted, or --open as well.`,
    )
  }
  const services = await openServices(settings)
  const report = (error: unknown) => process.stderr.write(`ledgerlake: ${sentenceOf(error)}\n`)
  const snapshots = await followLake(services.lake, settings.refresh_ms, services.repository.warm, report)
  let draining = false
  const server = buildServer({
    repository: services.repository,
    snapshots,
    network: settings.network,
    requestTimeoutMs: settings.request_timeout_ms,
    isDraining: () => draining,
  })
  await server
    .listen({ host: settings.host, port: settings.port })
    .catch((error) => refusePort(error, settings))
  const { port } = server.server.address() as AddressInfo
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  print(`ledgerlake serves ${settings.lake} at http://${host}:${port}/`)

  closeWithGrace({ delay: DRAIN_MS }, async ({ err }) => {
    if (err !== undefined) report(err)
    draining = true
    await server.close()
    await snapshots.close()
    await services.close()
  })
}

function refusePort(error: NodeJS.ErrnoException, settings: Settings): never {
  if (error.code === 'EADDRINUSE') {
    fail(
      'address_in_use',
      `Port ${settings.port} of ${settings.host} is taken; choose another with --port.`,
      {
        cause: error,
      },
    )
  }
  fail('malformed_request', `Cannot listen on ${settings.host}:${settings.port}: ${sentenceOf(error)}.`, {
    cause: error,
  })
}
