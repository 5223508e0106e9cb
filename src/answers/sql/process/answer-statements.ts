import { openChannel, type Port } from '../../../base/processes/channel.ts'
import { type FirstRowsRequest, readFirstRows } from '../first-rows.ts'
import type { SqlSession, TextRows } from '../sql-session.ts'
import { type CheckRequest, type OpenRequest, outcomeOf, type RowsRequest } from './requests.ts'

type Rows = AsyncGenerator<unknown>

/**
 * Serves the requests of the parent process. Each starts when it arrives; the parent keeps the order. `stop` aborts the
 * current statement.
 */
export function answerStatements(port: Port, open: (request: OpenRequest) => Promise<SqlSession>): void {
  let session: SqlSession | undefined
  let stopped = new AbortController()
  let rows: Rows | undefined
  let ahead: ReturnType<Rows['next']> | undefined

  /** Returns the open session. Errors: Error. */
  function opened(): SqlSession {
    if (session === undefined) throw new Error('no session is open')
    return session
  }

  /** Reads rows while earlier rows are being sent. */
  function readAhead(): void {
    ahead = rows?.next()
    ahead?.catch(() => {})
  }

  async function endRows(): Promise<void> {
    await rows?.return(undefined).catch(() => {})
    rows = undefined
    ahead = undefined
  }

  const work: Record<string, (value: never) => unknown> = {
    ready: () => null,
    async open(request: OpenRequest) {
      session?.close()
      session = undefined
      session = await open(request)
    },
    check: ({ statement, ...options }: CheckRequest) => opened().check(statement, options, stopped.signal),
    firstRows: (request: FirstRowsRequest) => readFirstRows(opened(), request, stopped.signal),
    parquet: ({ statement, values }: RowsRequest) => opened().parquet(statement, stopped.signal, values),
    rows({ statement, form, values }: RowsRequest) {
      const { signal } = stopped
      if (form === 'texts') rows = inMessages(opened().rows(statement, signal, values))
      else if (form === 'arrow') rows = inBase64(opened().arrow(statement, signal, values))
      else rows = inPieces(opened().lines(statement, form, signal, values))
      readAhead()
    },
    async next() {
      const { value, done = false } = (await ahead) ?? { value: undefined, done: true }
      if (!done) readAhead()
      return done ? { isEnd: true } : { rows: value }
    },
    async stop() {
      stopped.abort(new Error('the statement was stopped'))
      await endRows()
      stopped = new AbortController()
    },
    async close() {
      await endRows()
      session?.close()
      session = undefined
    },
  }
  openChannel(
    port,
    Object.fromEntries(
      Object.entries(work).map(([name, answer]) => [
        name,
        (value: unknown) => outcomeOf(() => answer(value as never)),
      ]),
    ),
  )
}

const MESSAGE_CHARACTERS = 1_000_000

/**
 * Splits rows into messages of a million characters plus one row; a chunk of wide rows is too long for one message.
 */
async function* inMessages(chunks: AsyncIterable<TextRows>): AsyncGenerator<TextRows> {
  for await (const chunk of chunks) {
    let message: TextRows[number][] = []
    let characters = 0
    for (const row of chunk) {
      message.push(row)
      characters += row.reduce((sum, cell) => sum + (cell?.length ?? 4), 0)
      if (characters < MESSAGE_CHARACTERS) continue
      yield message
      message = []
      characters = 0
    }
    if (message.length > 0) yield message
  }
}

/** Splits lines into messages of a million characters. */
async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts)
    for (let first = 0; first < text.length; ) {
      const last = first + MESSAGE_CHARACTERS
      // The two halves of a character stay together.
      const end = /[\uD800-\uDBFF]/.test(text.charAt(last - 1)) ? last + 1 : last
      yield text.slice(first, end)
      first = end
    }
}

async function* inBase64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const piece of pieces) yield Buffer.from(piece).toString('base64')
}
