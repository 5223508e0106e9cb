import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../src/answers/sql/sql-session.ts'
import { flatColumns, isReward } from '../../src/catalog/records/flat-columns.ts'
import { resources } from '../../src/catalog/resources.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { openSqlSession, rowsOf } from '../support/servers/ask-sql.ts'
import { some } from '../support/some.ts'
import { makeFolder } from '../support/temporary-folder.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/guide/analyst.md', root), 'utf8')
const blocks = [...page.matchAll(/^```sql\n([\s\S]*?)\n```$/gm)]
const commands = [...page.matchAll(/^bin\/ledgerlake sql .*"(.+)"/gm)]
const statements = [...blocks, ...commands].map(([, statement = '']) => statement)

let session: SqlSession
let remove: () => Promise<void>

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  await ingestInto(made.folder, [fileURLToPath(new URL('data/sample', root))])
  session = await openSqlSession(made.folder)
})
afterAll(async () => {
  await session.close()
  await remove()
})

describe('the guide for analysts', () => {
  it('has eight blocks of statements and four commands', () => {
    expect([blocks.length, commands.length]).toEqual([8, 4])
  })

  it.each(statements)('shows a statement that the sample answers with rows: %s', async (statement) => {
    expect((await rowsOf(session, statement)).length).toBeGreaterThan(0)
  })

  it('names the columns that the joined views add to the shares', () => {
    for (const resource of some(resources.filter(isReward))) {
      const joined = flatColumns(resource).filter(({ from }) => from.as !== 'column' && from.as !== 'tokens')
      expect(some(joined).filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([])
    }
  })
})
