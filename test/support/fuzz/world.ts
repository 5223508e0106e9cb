import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { buildServer } from '../../../src/doors/build-server.ts'
import { followLake } from '../../../src/doors/snapshots/served-snapshots.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { openCounterOf } from '../../../src/operate/keys/counting/key-counter.ts'
import { followKeys } from '../../../src/operate/keys/key-ring.ts'
import { openServices, type Services } from '../../../src/services/services.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { ingestInto } from '../build-lake.ts'
import { openMemoryEngine } from '../contract/memory-engine.ts'
import type { Documented } from '../documented.ts'
import { smallNetwork } from '../fixtures.ts'
import { rowsInFiles } from '../rows-in-files.ts'

/** A small lake, the program over it, and the memory engine over the same, of which nothing was derived. */
export interface World {
  readonly folder: string
  readonly lake: string
  /** State folder with everything derived. */
  readonly state: string
  readonly services: Services
  readonly served: FastifyInstance
  readonly byMemory: FastifyInstance
  readonly document: Documented
  /** The rows of the newest snapshot. */
  readonly rowsOf: (resource: Resource) => readonly Row[]
  /** Ids of snapshots, the newest last. */
  readonly snapshots: readonly string[]
  /** What the servers logged since the last call. */
  takeLog(): string
  close(): Promise<void>
}

const STEPS = [1, 40, 1_000_000]

/** Makes it in an empty folder. */
export async function openWorld(folder: string): Promise<World> {
  const lake = join(folder, 'lake')
  const snapshots: string[] = []
  const parts = ['oracle/foundation-iot-verified-rewards', 'l2', '']
  for (const [step, part] of parts.entries()) {
    const { failed, refusedRows } = await ingestInto(lake, [join(smallNetwork, part)], {
      commitRows: STEPS[step] ?? 1,
    })
    if (failed.length + refusedRows > 0) throw new Error('the small network was not taken in')
    snapshots.push((await new Lake(lake).latest()).id)
  }
  const state = join(folder, 'state')
  await mkdir(state)
  let logged = ''
  const log = (line: string) => (logged += line)
  const own = await open(lake, state, (engine) => engine, 1, log)
  for (const one of own.services.derived) await one.build(own.at)
  await own.services.warm(own.at)
  const kept = rowsInFiles()
  const memory = await open(lake, join(folder, 'nothing'), () => openMemoryEngine(kept), 10 ** 9, log)
  const rows = new Map<string, readonly Row[]>()
  for (const resource of resources) rows.set(resource.name, await kept(resource, own.at))
  return {
    ...{
      folder,
      lake,
      state,
      services: own.services,
      served: own.server,
      byMemory: memory.server,
      snapshots,
    },
    document: JSON.parse((await own.server.inject('/openapi.json')).body) as Documented,
    rowsOf: ({ name }) => rows.get(name) ?? [],
    takeLog() {
      const lines = logged
      logged = ''
      return lines
    },
    async close() {
      await own.close()
      await memory.close()
    },
  }
}

async function open(
  lake: string,
  state: string,
  aroundEngine: (engine: Engine) => Engine,
  worthwhileRows: number,
  write: (line: string) => void,
) {
  const settings = readSettings(
    {},
    { lake, state, engine_memory_mb: '256', engine_threads: '1', engine_connections: '2' },
  )
  const services = await openServices(settings, { aroundEngine, worthwhileRows })
  const onError = (error: unknown) => write(String(error))
  const snapshots = await followLake(services.lake, 60_000, services.warm, onError)
  const keyFile = join(lake, '_keys', 'keys.ndjson')
  const keys = await followKeys(keyFile, 60_000, onError)
  const counter = openCounterOf(keyFile, onError)
  const server = buildServer({
    ...{ repository: services.repository, engine: services.engine, derived: services.derived },
    ...{ snapshots, keys, counter, stateFolder: state, network: 'net' },
    ...{ mostRequests: 1000, mostWaitMs: 600_000, answerMemoryMb: 0, requestTimeoutMs: 20_000 },
    exports: { most: 100, timeoutMs: 20_000, stallMs: 20_000 },
    log: { access: false, write },
  })
  await server.ready()
  const at = await services.lake.latest()
  return {
    ...{ services, server, at },
    async close() {
      await server.close()
      await keys.close()
      counter.close()
      await snapshots.close()
      await services.close()
    },
  }
}

/** A copy of a folder, made once, whose files may be altered. */
export async function copyOf(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true })
  return to
}
