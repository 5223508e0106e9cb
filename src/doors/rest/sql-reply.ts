import { createReadStream } from 'node:fs'
import { fail } from '../../base/errors.ts'
import { quoteJson, writeJson } from '../../base/values/json-writer.ts'
import type { ExportFormat } from '../../catalog/export-formats.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { MOST_SQL_CHARACTERS, MOST_SQL_ROWS, type SqlQuery } from '../contract/sql-query.ts'
import type { OpenSql } from '../gate/sql-access.ts'

type Session = Awaited<ReturnType<OpenSql>>

/** Writes the first rows of a statement as JSON. Errors: those of a statement; `malformed_request` for a row that is too long. */
export async function sqlJson(
  session: Session,
  { statement, values, rows: mostRows = MOST_SQL_ROWS, integersAsText }: SqlQuery,
  at: Snapshot,
  signal: AbortSignal,
): Promise<string> {
  const checked = await session.check(statement, {}, signal)
  const form = integersAsText ? 'ndjson_texts' : 'ndjson'
  const { text, isCut } = await firstLines(session.lines(checked, form, signal, values), mostRows)
  const columns = writeJson(checked.columns.map(({ name, type }) => ({ name, type })))
  const records = text.slice(0, -1).replaceAll('\n', ',\n')
  return `{"snapshot":${quoteJson(at.id)},"columns":${columns},"is_cut":${isCut},"records":[${records}]}`
}

/** Reads whole lines within the limits of a reply. */
async function firstLines(pieces: AsyncIterable<string>, mostRows: number) {
  let text = ''
  let rows = 0
  for await (const piece of pieces) {
    const start = text.length
    text += piece
    for (let end = text.indexOf('\n', start); end >= 0; end = text.indexOf('\n', end + 1)) {
      rows += 1
      if (rows > mostRows) return { text: text.slice(0, text.lastIndexOf('\n', end - 1) + 1), isCut: true }
    }
    if (text.length <= MOST_SQL_CHARACTERS) continue
    const end = text.lastIndexOf('\n', MOST_SQL_CHARACTERS) + 1
    if (end === 0)
      fail(
        'malformed_request',
        `The first row has more than ${MOST_SQL_CHARACTERS} characters of JSON; select less of it, or add format=ndjson.`,
      )
    return { text: text.slice(0, end), isCut: true }
  }
  return { text, isCut: false }
}

/** Streams all rows of a statement as a file, and closes the session at the end. */
export async function* sqlFile(
  session: Session,
  { statement, values, integersAsText }: SqlQuery,
  { name }: ExportFormat,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    const checked = await session.check(statement, {}, signal)
    if (name === 'parquet') yield* createReadStream(await session.parquet(checked, signal, values))
    else if (name === 'arrow') yield* session.arrow(checked, signal, values)
    else {
      const form = name === 'csv' ? name : integersAsText ? 'ndjson_texts' : 'ndjson'
      for await (const text of session.lines(checked, form, signal, values)) yield Buffer.from(text)
    }
  } finally {
    await session.close()
  }
}
