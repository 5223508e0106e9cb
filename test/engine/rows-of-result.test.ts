import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it, onTestFinished } from 'vitest'
import { rowsOfResult } from '../../src/engine/duckdb/rows-of-result.ts'

async function rowsOf(query: string) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return rowsOfResult(await connection.run(query))
}

it('amounts, instants and sums keep every digit', async () => {
  const values = `18446744073709551615::DECIMAL(20,0) AS amount, 9007199254740993::BIGINT AS cell,
    TIMESTAMPTZ '1969-12-31 23:59:59.999999Z' AS before, TIMESTAMPTZ '2262-04-11 23:47:16.854775Z' AS after,
    170141183460469231731687303715884105727::HUGEINT AS sum, NULL::DECIMAL(20,0) AS nothing, 'a' AS text`
  expect(await rowsOf(`SELECT ${values}`)).toEqual([
    {
      amount: 18_446_744_073_709_551_615n,
      cell: 9_007_199_254_740_993n,
      before: -1n,
      after: 9_223_372_036_854_775n,
      sum: 170_141_183_460_469_231_731_687_303_715_884_105_727n,
      nothing: null,
      text: 'a',
    },
  ])
})

it('a decimal with a fraction is refused rather than rounded', async () => {
  await expect(rowsOf('SELECT 0.1::DECIMAL(38,18) AS price')).rejects.toThrow(
    '0.100000000000000000 has a fraction; select it as text',
  )
})

it('rows of several chunks keep their order, and an empty result has none', async () => {
  const rows = await rowsOf('SELECT range AS number, range::VARCHAR AS text FROM range(5000)')
  expect(rows).toEqual(
    Array.from({ length: 5000 }, (_, number) => ({ number: BigInt(number), text: String(number) })),
  )
  expect(await rowsOf('SELECT 1 AS one WHERE false')).toEqual([])
})
