import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLake } from '../../../src/lake/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot.ts'
import type { SqlSession } from '../../../src/sql/sql-session.ts'
import { openSqlSession } from '../ask-sql.ts'
import { ingestInto } from '../build-lake.ts'
import { buildTestServer, type TestServer } from '../build-test-server.ts'
import { cleanUp } from '../clean-up.ts'
import { deriveAll } from '../derive-all.ts'
import { type McpClient, mcpOver } from '../mcp-client.ts'
import { rowsInFiles } from '../rows-in-files.ts'
import { smallLake } from '../small-lake.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { listedTables, type RowsIn } from './question.ts'

/** A lake with two snapshots in which every table has rows, and all doors to it. */
export interface DoorWorld {
  readonly lake: string
  readonly server: TestServer
  readonly mcp: McpClient
  /** Sessions of SQL, one a snapshot. */
  readonly sql: readonly SqlSession[]
  /** The newest last. */
  readonly snapshots: readonly Snapshot[]
  readonly rowsIn: RowsIn
  /** A folder for files. */
  readonly folder: string
}

const sample = fileURLToPath(new URL('../../../data/sample', import.meta.url))

/** Files of the small network have some of its names. */
async function renamedSample(): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of readdirSync(sample, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(sample, name)).isFile()) {
      const other = join(folder, name.replace('data_xaa', 'data_xbb').replace('.ndjson', '-more.ndjson'))
      mkdirSync(dirname(other), { recursive: true })
      copyFileSync(join(sample, name), other)
    }
  return folder
}

export async function openDoorWorld(): Promise<DoorWorld> {
  const folder = await temporaryFolder()
  const lake = await smallLake()
  const opened = await openLake(lake)
  const snapshots: Snapshot[] = [await opened.latest()]
  const { failed, refusedRows } = await ingestInto(lake, [await renamedSample()])
  if (failed.length + refusedRows > 0) throw new Error('the sample was not ingested')
  snapshots.push(await opened.latest())
  await deriveAll(lake)
  const read = rowsInFiles()
  const rows = await Promise.all(
    snapshots.map(async (at) => {
      const tables = listedTables.map(async (table) => [table.name, await read(table, at)] as const)
      return new Map(await Promise.all(tables))
    }),
  )
  // A busy machine makes estimates that would have questions refused.
  const server = await buildTestServer(lake, 60_000, undefined, { mostWaitMs: 600_000 })
  const sql = await Promise.all(snapshots.map((at) => openSqlSession(lake, at)))
  cleanUp(() => Promise.all(sql.map((session) => session.close())))
  return {
    ...{ lake, folder, server, snapshots, sql },
    mcp: await mcpOver(server.server),
    rowsIn: ({ name }, snapshot) => rows[snapshot]?.get(name) ?? [],
  }
}
