import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { openSqlSession, type SqlRow } from '../../support/servers/ask-sql.ts'

let session: SqlSession
beforeAll(async () => {
  session = await openSqlSession(await smallLake())
})
afterAll(() => session.close())

async function ask(
  statement: string,
  values: readonly (string | null)[],
  parameterTypes: readonly string[] = [],
) {
  const checked = await session.check(statement, { parameterTypes })
  const rows: SqlRow[] = []
  for await (const some of session.rows(checked, undefined, values)) rows.push(...some)
  return {
    rows,
    types: checked.parameters.map(({ type }) => type),
    columns: checked.columns.map(({ type }) => type),
  }
}
const errorOf = (statement: string, values: readonly (string | null)[], types: readonly string[] = []) =>
  ask(statement, values, types).then(
    () => expect.fail(`${statement} has an answer`),
    (error) => error,
  )

describe('a parameter', () => {
  it.each([
    ['HUGEINT', '170141183460469231731687303715884105727'],
    ['UBIGINT', '18446744073709551615'],
    ['DECIMAL(38,18)', '12345678901234567890.123456789012345678'],
    ['BIGINT', '-9007199254740993'],
    ['DOUBLE', '0.1'],
    ['BOOLEAN', 'true'],
    ['VARCHAR', 'a\'b"c\0; --'],
    ['DATE', '2025-01-31'],
    ['TIME', '23:59:59.999999'],
    ['TIMESTAMP', '2025-01-31 23:59:59.999999'],
    ['UUID', '550e8400-e29b-41d4-a716-446655440000'],
    ['BLOB', '\\x00\\xFF'],
    ['BIGINT[]', '[9007199254740993, NULL]'],
  ])('of the type %s keeps every digit of %j', async (type, text) => {
    const { rows, columns } = await ask('select $1 as v, typeof($1) as t', [text], [type])
    expect(rows).toEqual([[text, type]])
    expect(columns[0]).toBe(type)
  })

  it('has the type that the engine infers, and VARCHAR without one', async () => {
    const inferred = 'select $4 from iot_reward_shares where beacon_amount > $1 and end_period >= $2 limit $3'
    expect((await ask(inferred, ['0', '2025-01-01T00:00:00Z', '1', 'x'])).types).toEqual([
      'DECIMAL(20,0)',
      'TIMESTAMP WITH TIME ZONE',
      'BIGINT',
      'VARCHAR',
    ])
  })

  it('may be null, also one that stands twice, and one of each ?', async () => {
    expect((await ask('select $1::bigint, $2, $1 is null', [null, 'x'])).rows).toEqual([[null, 'x', 'true']])
    expect((await ask('select ? || ?', ['a', 'b'])).rows).toEqual([['ab']])
  })

  it('is not read as SQL', async () => {
    const value = "x' union all select version() --"
    expect((await ask('select count(*) from makers where name = $1', [value])).rows).toEqual([['0']])
  })

  it('counts for CSV, NDJSON and Parquet too', async () => {
    const checked = await session.check('select $1 as n, $2 as x', { parameterTypes: ['HUGEINT'] })
    const values = ['9007199254740993', null]
    for (const [format, text] of [
      ['csv', 'n,x\n9007199254740993,\n'],
      ['ndjson', '{"n":9007199254740993,"x":null}\n'],
    ] as const) {
      let lines = ''
      for await (const piece of session.lines(checked, format, undefined, values)) lines += piece
      expect(lines).toBe(text)
    }
    const path = await session.parquet(checked, undefined, values)
    const connection = await (await DuckDBInstance.create()).connect()
    const read = await connection.runAndReadAll(
      `select n::varchar, x, typeof(x) from read_parquet('${path}')`,
    )
    expect(read.getRowsJS()).toEqual([['9007199254740993', null, 'VARCHAR']])
  })

  it.each([
    ['select $1::bigint', ['abc'], 'Parameter $1 is "abc"; expected a value of the type BIGINT.'],
    ['select $1', [], 'The statement has 1 parameter, and 0 values are given.'],
    ['select 1', ['1'], 'The statement has 0 parameters, and 1 value is given.'],
    [
      'select $2',
      ['1'],
      'The statement has the parameters $2, without $1; use $1, $2 and so on, or ? for each.',
    ],
    [
      'select $day',
      ['1'],
      'The statement has the parameters $day, without $1; use $1, $2 and so on, or ? for each.',
    ],
  ] as const)('of %s with the values %j is refused: %s', async (statement, values, message) => {
    expect(await errorOf(statement, values)).toMatchObject({ code: 'malformed_request', message })
  })

  it('of a type with names in it is refused, since a name may contain SQL', async () => {
    const type = `STRUCT("a) ; drop" INTEGER)`
    expect((await errorOf('select $1', ['{}'], [type])).message).toContain('Parameter $1 has the type STRUCT')
    expect((await errorOf(`select $1::${type}`, ['{}'])).message).toContain(
      'Parameter $1 has the type STRUCT',
    )
  })
})

describe('the error of a statement', () => {
  it.each([
    ['select 1 +', { line: 1, column: 11, offset: 10 }],
    ['\n  selct 1', { line: 2, column: 3, offset: 3 }],
    ["select '😀é',\n  nocol from makers", { line: 2, column: 3, offset: 15 }],
    ['select 1 from nothere', undefined],
    ["select 'é', ('x' || i)::int from range(3) r(i)", { line: 1, column: 23, offset: 22 }],
  ])('of %j has its place as numbers', async (statement, position) => {
    expect((await errorOf(statement, [])).position).toEqual(position)
  })
})
