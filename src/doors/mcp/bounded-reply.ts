import { fail } from '../../base/errors.ts'
import { type Json, type JsonObject, membersOf, quoteJson, writeJson } from '../../base/values/json-writer.ts'

/** Maximum length of a reply in characters, JSON syntax included. */
export const MOST_CHARACTERS = 50_000

/** Characters reserved for `rows` and `next`, which depend on how many rows fit. */
const RESERVED = 1000

/** Rows of a reply; the writer drops those that do not fit. */
export interface Rows {
  /** Name of the member. */
  readonly name: string
  readonly records: readonly Json[]
  /** Number of rows before the first one. */
  readonly before: number
  /** Number of all rows; undefined if unknown. */
  readonly total: number | undefined
  /** True if more rows follow. */
  readonly isCut: boolean
  /** Value of `next` if the following call starts at row `first`. */
  next(first: number): JsonObject
}

export interface ToolReply {
  readonly head: JsonObject
  /** The answer without its rows. */
  readonly answer: JsonObject
  readonly rows?: Rows
}

/**
 * Writes a reply of bounded length, integers as text. It drops rows at the end that do not fit, and replaces
 * a row that is too long alone. Errors: `malformed_request` if the reply does not fit without rows.
 */
export function writeReply({ head, answer, rows }: ToolReply): string {
  if (rows === undefined) return checkLength(replyText(writeObject(head), writeObject(answer)))
  const fixed = writeObject(head).length + writeObject({ ...answer, [rows.name]: [] }).length + RESERVED
  if (fixed > MOST_CHARACTERS) return refuseLength(fixed)
  const texts = takeFitting(rows.records, MOST_CHARACTERS - fixed)
  const end = rows.before + texts.length
  const isCut = rows.isCut || texts.length < rows.records.length
  const paging = {
    rows: {
      first: rows.before + 1,
      count: texts.length,
      ...(rows.total !== undefined && { total: rows.total }),
    },
    next: isCut ? rows.next(end) : null,
  }
  const list = `${quoteJson(rows.name)}:[${texts.join(',')}]`
  const members = writeObject(answer).slice(1, -1)
  return checkLength(
    replyText(writeObject({ ...head, ...paging }), `{${members}${members === '' ? '' : ','}${list}}`),
  )
}

const writeObject = (object: JsonObject) => writeJson(object, true)

function replyText(head: string, answer: string): string {
  return `${head.slice(0, -1)}${head === '{}' ? '' : ','}"answer":${answer}}`
}

function takeFitting(records: readonly Json[], room: number): readonly string[] {
  const texts: string[] = []
  let remaining = room
  for (const record of records) {
    const text = writeJson(record, true)
    const entry = text.length < room ? text : writeObject({ ...idOf(record), ...omittedRow(text.length) })
    remaining -= entry.length + 1
    if (remaining < 0) break
    texts.push(entry)
  }
  return texts
}

function idOf(record: Json): JsonObject {
  const { id } = membersOf(record)
  return typeof id === 'string' ? { id: id.slice(0, 200) } : {}
}

/** Replacement of a row that is too long for any reply. */
export function omittedRow(characters: number): JsonObject {
  return { left_out: `${characters} characters; a reply has at most ${MOST_CHARACTERS}` }
}

function checkLength(text: string): string {
  return text.length > MOST_CHARACTERS ? refuseLength(text.length) : text
}

function refuseLength(characters: number): never {
  return fail(
    'malformed_request',
    `The answer has ${characters} characters without its rows, and a reply at most ${MOST_CHARACTERS}; ask for less, or ask REST.`,
  )
}
