import { resources } from '../../src/catalog/resources.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { type Answers, keepAnswers, pagesOf } from './pages.ts'
import { buildTestServer, type TestServer } from './servers/build-test-server.ts'
import { type ExactRow, readExactRows } from './tables/delta-table.ts'

/** The raw bodies of every page of each query and of its totals, by address. */
export async function readAnswers(
  server: TestServer,
  queries: readonly (readonly [list: string, params: Readonly<Record<string, string>>])[],
): Promise<Answers> {
  const { answers, ask } = keepAnswers(server.get)
  for (const [list, params] of queries) {
    const { per_page: _, ...filters } = params
    await ask(`${list}/totals?${new URLSearchParams(filters)}`)
    for await (const _page of pagesOf(ask, list, params));
  }
  return answers
}

/** The same, of a lake that is not served yet. */
export async function answersOf(
  lake: string,
  queries: Parameters<typeof readAnswers>[1],
): Promise<Readonly<Record<string, string>>> {
  const server = await buildTestServer(lake)
  try {
    return await readAnswers(server, queries)
  } finally {
    await server.close()
  }
}

/** The rows of the live files of every table but the rejects, by table and month, each file in its own order. */
export async function liveRows(lake: string): Promise<Readonly<Record<string, readonly ExactRow[]>>> {
  const snapshot = await new Lake(lake).latest()
  const rows: Record<string, readonly ExactRow[]> = {}
  for (const resource of resources.filter(({ name }) => name !== 'rejects')) {
    for (const file of snapshot.table(resource).files.filter((file) => file.rows > 0)) {
      const key = `${resource.name} ${file.partition}`
      rows[key] = [...(rows[key] ?? []), ...(await readExactRows(file.path))]
    }
  }
  return rows
}
