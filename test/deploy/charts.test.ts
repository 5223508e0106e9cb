import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../src/answers/sql/sql-session.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { openSqlSession, rowsOf } from '../support/servers/ask-sql.ts'
import { makeFolder } from '../support/temporary-folder.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(`deploy/${path}`, root), 'utf8')

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly rawSql: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly query: string }[] }
}

const [first, last] = ['2025-01-01', '2025-03-31']
const { panels, templating } = JSON.parse(textOf('grafana/dashboards/earnings.json')) as Dashboard
const [variable] = templating.list

/** A statement with the macros of Grafana as its PostgreSQL data source writes them. */
const ofGrafana = (statement: string, hotspot: string) =>
  statement
    .replace(/\$__timeFilter\((\w+)\)/g, `$1 BETWEEN '${first}T00:00:00Z' AND '${last}T23:59:59.999Z'`)
    .replaceAll('$hotspot', hotspot)

/** Statements of a file, with the variables of Metabase filled in. */
const statementsOf = (file: string, hotspot: string) =>
  textOf(file)
    .replaceAll('{{first}}', `'${first}'`)
    .replaceAll('{{last}}', `'${last}'`)
    .replaceAll('{{name}}', `'${hotspot}'`)
    .split(/;\n/)
    .filter((statement) => statement.trim() !== '')

let session: SqlSession
let hotspot: string
let remove: () => Promise<void>

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  await ingestInto(made.folder, [fileURLToPath(new URL('data/sample', root))])
  session = await openSqlSession(made.folder)
  const [row] = await rowsOf(
    session,
    `SELECT name FROM earnings WHERE name IS NOT NULL ORDER BY name LIMIT 1`,
  )
  hotspot = row?.[0] ?? ''
})
afterAll(async () => {
  await session.close()
  await remove()
})

describe('the dashboard for Grafana', () => {
  it.each(panels.map(({ title, targets }) => [title, targets[0]?.rawSql ?? '']))(
    'has a panel %s whose statement the views answer',
    async (_, statement) => {
      const rows = await rowsOf(session, ofGrafana(statement, hotspot))
      expect(rows.length).toBeGreaterThan(0)
    },
  )

  it('offers the names of hotspots', async () => {
    expect(await rowsOf(session, variable?.query ?? '')).toContainEqual([hotspot])
  })
})

describe.each([
  ['Metabase', 'metabase/questions.sql', 4],
  ['Superset', 'superset/datasets.sql', 1],
])('the statements for %s', (_, file, count) => {
  it('are answered by the views', async () => {
    const statements = statementsOf(file, hotspot)
    expect(statements).toHaveLength(count)
    for (const statement of statements)
      expect((await rowsOf(session, statement)).length, statement).toBeGreaterThan(0)
  })
})
