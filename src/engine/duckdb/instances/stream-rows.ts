import type { DuckDBResult } from '@duckdb/node-api'
import { unlessGone } from '../../../base/unless-gone.ts'
import type { Statement } from '../../sql/compile.ts'
import { boundValues } from '../duckdb-values.ts'
import { interruptOnAbort } from '../interrupt.ts'
import { streamSelect } from '../only-select.ts'
import type { StreamedChunk } from '../rows-of-result.ts'
import type { PooledInstance } from './pooled-instance.ts'

/** Streams the chunks of a statement on a separate connection, since the consumer may be slow. One is read ahead. */
export async function* streamChunks(
  instance: PooledInstance,
  statement: Statement,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamedChunk> {
  let markOver = () => {}
  const isOver = new Promise<void>((resolve) => {
    markOver = resolve
  })
  const connecting = instance.connect(isOver)
  let stop = () => {}
  let step: Promise<unknown> = connecting
  const begin = <T>(next: Promise<T>): Promise<T> => {
    step = next
    return next
  }
  const giveBack = async () => {
    await step.catch(() => {})
    stop()
    const connection = await connecting
    // Another statement ends one that is still open, and frees what it holds.
    await connection.run('SELECT 1').catch(() => {})
    connection.closeSync()
  }
  try {
    const connection = await unlessGone(connecting, instance.ending)
    stop = interruptOnAbort(connection, signal, instance.ending)
    signal?.throwIfAborted()
    instance.ending.throwIfAborted()
    const { text, values } = withEnd(statement)
    const streaming = begin(streamSelect(connection, text, boundValues(values)))
    const result = await unlessGone(streaming, instance.ending)
    const chunks = chunksUntilEnd(result.columnNames(), () => begin(result.fetchChunk()))
    for (;;) {
      const { done, value: chunk } = await unlessGone(chunks.next(), instance.ending)
      signal?.throwIfAborted()
      instance.ending.throwIfAborted()
      if (done === true) return
      yield chunk
    }
  } finally {
    // Memory held by a stuck instance is returned once it ends.
    await unlessGone(giveBack().finally(markOver), instance.ending).catch(() => {})
  }
}

const END = 'is the end'

/** Adds a row after the last. A failed or interrupted stream looks complete, so only this row proves the end. */
export function withEnd({ text, values }: Statement): Statement {
  const end = `SELECT true AS "${END}"`
  return { text: `SELECT rows.*, false AS "${END}" FROM (${text}) rows UNION ALL BY NAME ${end}`, values }
}

/** Reads chunks up to the row of `withEnd`, whose column is the last. Errors: Error if that row is missing. */
export async function* chunksUntilEnd(
  names: readonly string[],
  fetchChunk: DuckDBResult['fetchChunk'],
): AsyncGenerator<StreamedChunk> {
  const end = names.length - 1
  const fetchNext = () => {
    const chunk = fetchChunk()
    // The consumer awaits the error later, or never.
    chunk.catch(() => {})
    return chunk
  }
  for (let next = fetchNext(), isEnd = false; !isEnd; ) {
    const chunk = await next
    if (chunk === null || chunk.rowCount === 0) throw new Error('the rows of a statement ended early')
    isEnd = chunk.getColumnVector(end).getItem(chunk.rowCount - 1) === true
    if (!isEnd) next = fetchNext()
    const rows = isEnd ? chunk.rowCount - 1 : chunk.rowCount
    if (rows > 0) yield { chunk, names: names.slice(0, end), rows }
  }
}
