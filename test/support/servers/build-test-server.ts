import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildServer, type ServerOptions } from '../../../src/doors/build-server.ts'
import { followLake } from '../../../src/doors/snapshots/served-snapshots.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openCounterOf } from '../../../src/keys/counting/key-counter.ts'
import { followKeys } from '../../../src/keys/key-ring.ts'
import type { CheckedFiles } from '../../../src/lake/integrity/checked-files.ts'
import type { ServiceOptions } from '../../../src/services/options.ts'
import type { Services } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { cleanUp } from '../clean-up.ts'
import { type CountingEngine, openCounted } from '../counting-engine.ts'

export interface TestServer {
  readonly server: FastifyInstance
  readonly engine: CountingEngine
  readonly checkedFiles: CheckedFiles
  readonly services: Services
  /** GET of a path below /v1/net, with the body as text: parsing would round integers. */
  get(path: string): Promise<{ status: number; text: string; headers: Record<string, unknown> }>
  /** For those who do not want to wait for the end of the test, or of the file. */
  close(): Promise<void>
}

/** The guides as a build has them, rendered once for all tests of a worker. */
let guide: ReturnType<NonNullable<ServerOptions['readGuide']>> | undefined
const renderedGuide = () => {
  guide ??= import('../../../scripts/docs.ts').then(({ servedGuide }) => servedGuide())
  return guide
}

interface TestServices extends Pick<ServiceOptions, 'onVerdict' | 'spelling' | 'worthwhileRows'> {
  /** The state folder, where it is not in the lake. */
  readonly state?: string
}

/** The real parts over a lake, asked without sockets; `aroundEngine` may stand between the engine and those who ask it. */
export async function buildTestServer(
  lakeFolder: string,
  refreshMs = 60_000,
  aroundEngine: (engine: Engine) => Engine = (engine) => engine,
  options: Partial<ServerOptions> = {},
  { state = join(lakeFolder, '_state'), ...serviceOptions }: TestServices = {},
): Promise<TestServer> {
  const settings = readSettings(
    {},
    {
      ...{ lake: lakeFolder, state, engine_memory_mb: '256' },
      ...{ engine_threads: '2', engine_connections: '2' },
    },
  )
  const services = await openCounted(settings, { worthwhileRows: 1, ...serviceOptions, aroundEngine })
  const { engine, repository, checkedFiles } = services
  const snapshots = await followLake(services.lake, refreshMs, services.warm, (error) => console.error(error))
  const keyFile = join(lakeFolder, '_keys', 'keys.ndjson')
  const keys = await followKeys(keyFile, refreshMs, (error) => console.error(error))
  const counter = openCounterOf(keyFile, (error) => console.error(error))
  const server = buildServer({
    repository,
    engine,
    derived: services.derived,
    stateFolder: settings.state,
    checkedFiles,
    snapshots,
    keys,
    counter,
    mostRequests: 1000,
    // What is counted is looked up.
    answerMemoryMb: 0,
    network: 'net',
    requestTimeoutMs: 30_000,
    exports: { most: 100, timeoutMs: 60_000, stallMs: 30_000 },
    log: { access: false, write: () => {} },
    readGuide: renderedGuide,
    ...options,
  })
  let closing: Promise<void> | undefined
  async function closeAll() {
    // Callers keep connections for seconds.
    server.server.closeAllConnections()
    await server.close()
    await keys.close()
    counter.close()
    await snapshots.close()
    await services.close()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  cleanUp(close)
  return {
    ...{ server, engine, checkedFiles, services, close },
    async get(path) {
      const reply = await server.inject({ method: 'GET', url: `/v1/net${path}` })
      return { status: reply.statusCode, text: reply.body, headers: reply.headers }
    },
  }
}
