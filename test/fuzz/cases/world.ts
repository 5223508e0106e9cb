import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { openMemoryEngine } from '../../support/contract/memory-engine.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import type { Documented } from '../../support/servers/documented.ts'
import { rowsInFiles } from '../../support/tables/rows-in-files.ts'

/** A small lake, the program over it, and the memory engine over the same, of which nothing was derived. */
export interface World {
  readonly folder: string
  readonly lake: string
  /** State folder with everything derived. */
  readonly state: string
  readonly served: FastifyInstance
  readonly byMemory: FastifyInstance
  readonly document: Documented
  /** The rows of the newest snapshot. */
  readonly rowsOf: (resource: Resource) => readonly Row[]
  /** Ids of snapshots, the newest last. */
  readonly snapshots: readonly string[]
  /** What the servers logged since the last call. */
  takeLog(): string
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
  const write = (line: string) => {
    logged += line
  }
  const serving = { ...patient, log: { access: false, write } }
  const own = await buildTestServer(lake, 60_000, undefined, serving, { state })
  const at = await own.services.lake.latest()
  for (const one of own.services.derived) await one.build(at)
  await own.services.warm(at)
  const kept = rowsInFiles()
  const without = { state: join(folder, 'nothing'), worthwhileRows: 10 ** 9 }
  const memory = await buildTestServer(lake, 60_000, () => openMemoryEngine(kept), serving, without)
  const rows = new Map<string, readonly Row[]>()
  for (const resource of resources) rows.set(resource.name, await kept(resource, at))
  return {
    ...{ folder, lake, state, served: own.server, byMemory: memory.server, snapshots },
    document: JSON.parse((await own.server.inject('/openapi.json')).body) as Documented,
    rowsOf: ({ name }) => rows.get(name) ?? [],
    takeLog() {
      const lines = logged
      logged = ''
      return lines
    },
  }
}

/** Twenty seconds for a request, of which each waits as long as it takes. */
const patient = {
  ...{ mostWaitMs: 600_000, requestTimeoutMs: 20_000 },
  exports: { most: 100, timeoutMs: 20_000, stallMs: 20_000 },
}

/** A copy of a folder, made once, whose files may be altered. */
export async function copyOf(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true })
  return to
}
