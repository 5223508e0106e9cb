import type { DuckDBResult } from '@duckdb/node-api'
import { unlessGone } from '../../../base/unless-gone.ts'
import type { Statement } from '../../sql/compile.ts'
import { boundValues } from '../duckdb-values.ts'
import { interruptOnAbort } from '../interrupt.ts'
import { streamSelect } from '../only-select.ts'
import { rowsOfChunk, type Selected } from '../rows-of-result.ts'
import type { PooledInstance } from './pooled-instance.ts'

/** Streams the rows of a statement on a separate connection, since the consumer may be slow. */
export async function* streamRows(
  instance: PooledInstance,
  statement: Statement,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Selected[]> {
  let markOver = () => {}
  const isOver = new Promise<void>((resolve) => {
    markOver = resolve
  })
  const connecting = instance.connect(isOver)
  let stop = () => {}
  let step: Promise<unknown> = connecting
  const take = <T>(next: Promise<T>): Promise<T> => {
    step = next
    return unlessGone(next, instance.ending)
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
    const connection = await take(connecting)
    stop = interruptOnAbort(connection, signal, instance.ending)
    signal?.throwIfAborted()
    instance.ending.throwIfAborted()
    const { text, values } = withEnd(statement)
    const batches = rowsUntilEnd(await take(streamSelect(connection, text, boundValues(values))))
    for (;;) {
      const { done, value: rows } = await take(batches.next())
      signal?.throwIfAborted()
      instance.ending.throwIfAborted()
      if (done === true) return
      yield rows
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

/** Streams a result up to the row of `withEnd`. Errors: Error if that row is missing. */
export async function* rowsUntilEnd(result: DuckDBResult): AsyncGenerator<readonly Selected[]> {
  const names = result.columnNames()
  for (let isEnd = false; !isEnd; ) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) throw new Error('the rows of a statement ended early')
    const rows = rowsOfChunk(chunk, names).flatMap(({ [END]: isLast, ...row }) => {
      isEnd ||= isLast === true
      return isLast ? [] : [row]
    })
    if (rows.length > 0) yield rows
  }
}
