import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { smallNetwork } from '../../support/fixtures.ts'
import { copyOfBucket, openLakeBucket } from '../../support/lakes/bucket-lakes.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { openSqlSession } from '../../support/servers/ask-sql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { type McpClient, mcpOver } from '../../support/servers/mcp-client.ts'
import { rowsInFiles } from '../../support/tables/rows-in-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { listedTables, type RowsIn } from './question.ts'

/** A lake with two snapshots in which every table has rows, and all doors to it. */
export interface DoorWorld {
  readonly lake: string
  readonly server: TestServer
  /** Of all requests over HTTP. */
  readonly headers: Readonly<Record<string, string>>
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

/** Of a server that tests alone ask: a busy machine makes estimates and takes times that would have questions refused. */
export const patient = {
  ...{ mostWaitMs: 600_000, requestTimeoutMs: 300_000 },
  exports: { most: 100, timeoutMs: 600_000, stallMs: 300_000 },
}

/** A lake and a snapshot of it after each of the inputs. */
interface Steps {
  readonly lake: string
  readonly snapshots: readonly Snapshot[]
}

async function localLake(): Promise<Steps> {
  const lake = await smallLake()
  const opened = await openLake(lake)
  const first = await opened.latest()
  const { failed, refusedRows } = await ingestInto(lake, [await renamedSample()])
  if (failed.length + refusedRows > 0) throw new Error('the sample was not ingested')
  return { lake, snapshots: [first, await opened.latest()] }
}

/** The same lake in a bucket, as a copy has it that did not write it. */
export async function lakeInBucket(): Promise<Steps> {
  const bucket = await openLakeBucket()
  const [writer, reader] = [await copyOfBucket(bucket), await copyOfBucket(bucket)]
  const snapshots: Snapshot[] = []
  for (const input of [smallNetwork, await renamedSample()]) {
    const { failed, refusedRows } = await writer.ingest([input])
    if (failed.length + refusedRows > 0) throw new Error(`${input} was not ingested`)
    await reader.follow()
    await reader.bringAll()
    snapshots.push(await (await openLake(reader.lake)).latest())
  }
  return { lake: reader.lake, snapshots }
}

export async function openDoorWorld(makeLake = localLake): Promise<DoorWorld> {
  const folder = await temporaryFolder()
  const { lake, snapshots } = await makeLake()
  await deriveAll(lake)
  const read = rowsInFiles()
  const rows = await Promise.all(
    snapshots.map(async (at) => {
      const tables = listedTables.map(async (table) => [table.name, await read(table, at)] as const)
      return new Map(await Promise.all(tables))
    }),
  )
  const server = await buildTestServer(lake, 60_000, undefined, patient)
  const sql = await Promise.all(snapshots.map((at) => openSqlSession(lake, at)))
  cleanUp(() => Promise.all(sql.map((session) => session.close())))
  return {
    ...{ lake, folder, server, snapshots, sql, headers: {} },
    mcp: await mcpOver(server.server),
    rowsIn: ({ name }, snapshot) => rows[snapshot]?.get(name) ?? [],
  }
}
