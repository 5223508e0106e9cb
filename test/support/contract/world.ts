import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { openDuckdbEngine } from '../../../src/engine/duckdb/queries/duckdb-engine.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { ingestInto } from '../lakes/build-lake.ts'
import { writeOracleFiles } from '../lakes/make-lake.ts'
import { copySmallLake } from '../lakes/small-lake.ts'
import { fewEnds } from '../network/few-files.ts'
import { oracleFiles } from '../network/oracle-files.ts'
import type { Network } from '../network/reward-types.ts'
import { drawFile } from '../network/shares.ts'
import { rowsInFiles } from '../tables/rows-in-files.ts'
import { makeFolder } from '../temporary-folder.ts'
import { openTrino, trinoServer } from '../trino/open-trino.ts'
import { openMemoryEngine } from './memory-engine.ts'

/** A lake with rows in every table, and the rows as another reader finds them. */
interface World {
  readonly lake: string
  readonly at: Snapshot
  readonly tables: readonly Resource[]
  rowsOf(resource: Resource): readonly Row[]
}

const random = openRandom(deriveSeed('contract'))
const draw = (network: Network, number: number, count: number) =>
  drawFile(random, {
    ...{ network, count, name: `${network}_reward_share.${number}.gz` },
    ...{ ends: fewEnds, hotspots: 12 },
  })

/** The small network, and drawn shares in several commits, so that the rows of one period lie in several files. */
async function makeWorld(): Promise<World> {
  const { folder } = await makeFolder()
  const [input, lake] = [join(folder, 'input'), join(folder, 'lake')]
  const drawn = [draw('mobile', 1, 400), draw('mobile', 2, 400), draw('mobile', 3, 100), draw('iot', 4, 300)]
  await writeOracleFiles(input, oracleFiles(drawn))
  await copySmallLake(lake)
  await ingestInto(lake, [input], { commitRows: 1 })
  const at = await new Lake(lake).latest()
  const read = rowsInFiles()
  const rows = new Map<Resource, readonly Row[]>()
  for (const resource of resources) rows.set(resource, await read(resource, at))
  const tables = resources.filter((resource) => rows.get(resource)?.length !== 0)
  if (tables.length !== 13) throw new Error(`only ${tables.map(({ name }) => name)} have rows`)
  return { lake, at, tables, rowsOf: (resource) => rows.get(resource) ?? [] }
}

/** One for all test files of a worker. */
export const world = await makeWorld()

/** Every table with rows, by its name. */
export const eachTable = world.tables.map((resource) => [resource.name, resource] as const)

interface Implementation {
  readonly name: string
  /** Whether it reads data files itself: by row number, and counting what it read. */
  readonly readsFiles: boolean
  open(folder?: string): Promise<Engine>
}

export const openDuckdb = (folder = world.lake, connections = 2) =>
  openDuckdbEngine({
    ...{ folders: [folder], spillFolder: join(folder, '_state', 'spill') },
    ...{ memoryMb: 256, threads: 2, connections },
  })

const trino: Implementation = {
  name: 'trino',
  readsFiles: false,
  open: (folder = world.lake) => openTrino(folder),
}

/** Every engine of the project; a new one is added here. Trino is among them where a cluster was started. */
export const implementations: readonly Implementation[] = [
  { name: 'duckdb', readsFiles: true, open: openDuckdb },
  { name: 'memory', readsFiles: false, open: async () => openMemoryEngine(rowsInFiles()) },
  ...(trinoServer === undefined ? [] : [trino]),
]

/** Runs the same cases for every engine. */
export function describeEngines(define: (engine: () => Engine, of: Implementation) => void): void {
  describe.each(implementations.map((one) => [one.name, one] as const))('%s', (_, implementation) => {
    let opened: Engine
    beforeAll(async () => {
      opened = await implementation.open()
    })
    afterAll(() => opened.close())
    define(() => opened, implementation)
  })
}
