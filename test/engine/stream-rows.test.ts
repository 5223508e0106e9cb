import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it, onTestFinished } from 'vitest'
import { rowsUntilEnd, withEnd } from '../../src/engine/duckdb/instances/stream-rows.ts'

async function stream(text: string) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return { connection, batches: rowsUntilEnd(await connection.stream(withEnd({ text, values: [] }).text)) }
}

async function countOf(batches: AsyncIterable<readonly unknown[]>): Promise<number> {
  let rows = 0
  for await (const batch of batches) rows += batch.length
  return rows
}

it('all rows arrive in order, without the end marker', async () => {
  const { batches } = await stream('SELECT 5000 - i AS n FROM range(5000) t(i) ORDER BY n')
  const rows: unknown[] = []
  for await (const batch of batches) rows.push(...batch)
  expect(rows).toEqual(Array.from({ length: 5000 }, (_, index) => ({ n: BigInt(index + 1) })))
})

it('a result without rows ends without an error', async () => {
  expect(await countOf((await stream('SELECT 1 AS n WHERE false')).batches)).toBe(0)
})

it('a statement that fails half-way rejects, and does not look complete', async () => {
  const late = "CASE WHEN i < 2000000 THEN i ELSE error('too far') END"
  const { batches } = await stream(`SELECT ${late} AS n FROM range(3000000) t(i)`)
  await expect(countOf(batches)).rejects.toThrow(/ended early|too far/)
})

it('an interrupt or another statement on the connection rejects the rest of the rows', async () => {
  const { batches, connection } = await stream('SELECT i AS n FROM range(3000000) t(i)')
  expect((await batches.next()).value).not.toHaveLength(0)
  await connection.run('SELECT 1')
  await expect(countOf(batches)).rejects.toThrow('the rows of a statement ended early')
})
