import { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { filesOfSnapshot } from '../../../src/answers/sql/views/snapshot-files.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A session over a snapshot of a lake, the newest unless told; it has a scratch folder of its own. */
export async function openSqlSession(lake: string, at?: Snapshot): Promise<SqlSession> {
  return await SqlSession.open({
    lake,
    at: filesOfSnapshot(at ?? (await (await openLake(lake)).latest())),
    scratchFolder: await temporaryFolder(),
    memoryMb: 256,
    threads: 1,
  })
}

export type SqlRow = readonly (string | null)[]

/** The rows of a statement, every value as text. */
export async function rowsOf(
  session: Pick<SqlSession, 'check' | 'rows'>,
  statement: string,
): Promise<readonly SqlRow[]> {
  const rows: SqlRow[] = []
  for await (const some of session.rows(await session.check(statement))) rows.push(...some)
  return rows
}

/** The rows of one statement over the newest snapshot. */
export async function askSql(lake: string, statement: string): Promise<readonly SqlRow[]> {
  const session = await openSqlSession(lake)
  return await rowsOf(session, statement).finally(() => session.close())
}
