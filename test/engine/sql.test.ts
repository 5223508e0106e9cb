import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filePattern } from '../../src/engine/duckdb/duckdb-dialect.ts'
import { Session } from '../../src/engine/duckdb/session.ts'
import { joined, name, Sql, sql, textList } from '../../src/engine/duckdb/sql.ts'
import { hostileFolder, hostileName, hostileText } from '../support/messages/hostile-text.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

describe('SQL of a template', () => {
  it('quotes texts, writes all digits of numbers, and inserts SQL unchanged', () => {
    const where = sql`${name('a"b')} = ${"o'clock"}`
    const query = sql`SELECT ${[name('a'), name('b')]} FROM ${name('t')} WHERE ${where} LIMIT ${5} OFFSET ${2n ** 63n}`
    expect(query.text).toBe(
      `SELECT "a", "b" FROM "t" WHERE "a""b" = 'o''clock' LIMIT 5 OFFSET 9223372036854775808`,
    )
    expect(sql`IN (${['x', "y'"].map((text) => sql`${text}`)})`.text).toBe("IN ('x', 'y''')")
    expect(textList([]).text).toBe('[]::VARCHAR[]')
    expect(textList(["a'", 'b']).text).toBe("['a''', 'b']::VARCHAR[]")
    expect(joined([sql`a`, sql`b`], ' AND ').text).toBe('a AND b')
  })

  it('refuses a number that is not whole, and a name with NUL', () => {
    for (const number of [0.5, Number.NaN, 2 ** 53])
      expect(() => sql`${number}`).toThrow('not a whole number')
    expect(() => name('a\0b')).toThrow('cannot be the name of a column or table')
  })

  it('is built from text only by the template and the plan compiler', () => {
    const folder = fileURLToPath(new URL('../../src/engine', import.meta.url))
    const making = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.ts') && /\bcompiled\(|new Sql\(/.test(readFileSync(join(folder, file), 'utf8')),
    )
    expect(making.sort()).toEqual(['duckdb/catalog-sql.ts', 'duckdb/sql.ts'])
    expect(sql``).toBeInstanceOf(Sql)
  })
})

describe('DuckDB reads back from a statement', () => {
  let session: Session
  let parent: string

  beforeAll(async () => {
    const folder = await temporaryFolder()
    parent = folder
    session = await Session.open({ spillFolder: join(folder, 'spill'), memoryMb: 64, threads: 1 })
  })
  afterAll(() => session.close())

  const runs = { numRuns: scaled(100, 2000) }

  it('any text, in a list and alone', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (text, other) => {
        const query = sql`SELECT ${text}, ${textList([other, text])}, ${text} >= ${text}`
        expect(await session.tuples(query)).toEqual([[text, [other, text], true]])
      }),
      runs,
    )
  })

  it('any name of a column and of a table', async () => {
    await fc.assert(
      fc.asyncProperty(hostileName, hostileName, async (column, table) => {
        await session.run(sql`CREATE OR REPLACE TABLE ${name(table)} (${name(column)} VARCHAR)`)
        await session.run(sql`INSERT INTO ${name(table)} VALUES (${column})`)
        const rows = await session.rows(sql`SELECT * FROM ${name(table)} WHERE ${name(column)} = ${column}`)
        await session.run(sql`DROP TABLE ${name(table)}`)
        expect(rows).toEqual([{ [column]: column }])
      }),
      runs,
    )
  })

  it('any path as a file, not as a pattern', async () => {
    await fc.assert(
      fc.asyncProperty(hostileFolder, async (folder) => {
        mkdirSync(join(parent, folder), { recursive: true })
        const path = join(parent, folder, "it's one.parquet")
        await session.run(sql`COPY (SELECT ${folder} AS folder) TO ${path} (FORMAT parquet)`)
        expect(existsSync(path)).toBe(true)
        const rows = await session.tuples(sql`SELECT folder FROM read_parquet(${filePattern(path)})`)
        rmSync(path)
        expect(rows).toEqual([[folder]])
      }),
      runs,
    )
  })
})
