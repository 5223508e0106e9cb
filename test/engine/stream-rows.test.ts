import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it, onTestFinished } from 'vitest'
import { chunksUntilEnd, withEnd } from '../../src/engine/duckdb/instances/stream-rows.ts'
import { rowsOfChunk, type StreamedChunk } from '../../src/engine/duckdb/rows-of-result.ts'

async function stream(text: string) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  const result = await connection.stream(withEnd({ text, values: [] }).text)
  return { connection, chunks: chunksUntilEnd(result.columnNames(), () => result.fetchChunk()) }
}

async function countOf(chunks: AsyncIterable<StreamedChunk>): Promise<number> {
  let count = 0
  for await (const { rows } of chunks) count += rows
  return count
}

it('all rows arrive in order, without the end marker', async () => {
  const { chunks } = await stream('SELECT 5000 - i AS n FROM range(5000) t(i) ORDER BY n')
  const all: unknown[] = []
  for await (const { chunk, names, rows } of chunks) all.push(...rowsOfChunk(chunk, names).slice(0, rows))
  expect(all).toEqual(Array.from({ length: 5000 }, (_, index) => ({ n: BigInt(index + 1) })))
})

it('a result without rows ends without an error', async () => {
  expect(await countOf((await stream('SELECT 1 AS n WHERE false')).chunks)).toBe(0)
})

it('a statement that fails half-way rejects, and does not look complete', async () => {
  const late = "CASE WHEN i < 2000000 THEN i ELSE error('too far') END"
  const { chunks } = await stream(`SELECT ${late} AS n FROM range(3000000) t(i)`)
  await expect(countOf(chunks)).rejects.toThrow(/ended early|too far/)
})

it('an interrupt or another statement on the connection rejects the rest of the rows', async () => {
  const { chunks, connection } = await stream('SELECT i AS n FROM range(3000000) t(i)')
  expect((await chunks.next()).value?.rows).toBeGreaterThan(0)
  await connection.run('SELECT 1')
  await expect(countOf(chunks)).rejects.toThrow('the rows of a statement ended early')
})
