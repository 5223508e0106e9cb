import { fail } from '../../base/errors.ts'
import { type Json, type JsonObject, membersOf, quoteJson, writeJson } from '../../base/values/json-writer.ts'

/** As many characters as a reply has at most, its JSON marks included. */
export const MOST_CHARACTERS = 50_000

/** Room for what is only known once the rows are cut. */
const RESERVED = 1000

/** Rows that a reply gives, as far as they fit. */
export interface Rows {
  /** The member that holds them. */
  readonly name: string
  readonly records: readonly Json[]
  /** How many stand before them. */
  readonly before: number
  /** How many there are; undefined when that is not known. */
  readonly total: number | undefined
  /** Whether there are more behind them. */
  readonly isCut: boolean
  /** What to say of going on with the row after so many. */
  next(first: number): JsonObject
}

/** A reply, in parts. */
export interface Reply {
  /** What stands before the answer. */
  readonly head: JsonObject
  /** The answer without its rows. */
  readonly answer: JsonObject
  readonly rows?: Rows
}

/**
 * Writes a reply of bounded length, integers as text. What does not fit is cut at a whole row, and `next` says how to go on; a row that
 * would not fit alone is named in its place. Errors: `malformed_request` when what is no row does not fit.
 */
export function writeReply({ head, answer, rows }: Reply): string {
  if (rows === undefined) return whole(replyText(writeObject(head), writeObject(answer)))
  const fixed = writeObject(head).length + writeObject({ ...answer, [rows.name]: [] }).length + RESERVED
  if (fixed > MOST_CHARACTERS) return tooLong(fixed)
  const texts = fitting(rows.records, MOST_CHARACTERS - fixed)
  const end = rows.before + texts.length
  const isCut = rows.isCut || texts.length < rows.records.length
  const given = {
    rows: {
      first: rows.before + 1,
      count: texts.length,
      ...(rows.total !== undefined && { total: rows.total }),
    },
    next: isCut ? rows.next(end) : null,
  }
  const list = `${quoteJson(rows.name)}:[${texts.join(',')}]`
  const others = writeObject(answer).slice(1, -1)
  return whole(replyText(writeObject({ ...head, ...given }), `{${others}${others === '' ? '' : ','}${list}}`))
}

const writeObject = (object: JsonObject) => writeJson(object, true)

function replyText(head: string, answer: string): string {
  return `${head.slice(0, -1)}${head === '{}' ? '' : ','}"answer":${answer}}`
}

/** The first rows that fit into so many characters. */
function fitting(records: readonly Json[], room: number): readonly string[] {
  const texts: string[] = []
  let left = room
  for (const record of records) {
    const text = writeJson(record, true)
    const shown = text.length < room ? text : writeObject({ ...idOf(record), ...leftOut(text.length) })
    left -= shown.length + 1
    if (left < 0) break
    texts.push(shown)
  }
  return texts
}

function idOf(record: Json): JsonObject {
  const { id } = membersOf(record)
  return typeof id === 'string' ? { id: id.slice(0, 200) } : {}
}

/** Replacement of a row that is too long for any reply. */
export function leftOut(characters: number): JsonObject {
  return { left_out: `${characters} characters; a reply has at most ${MOST_CHARACTERS}` }
}

function whole(text: string): string {
  return text.length > MOST_CHARACTERS ? tooLong(text.length) : text
}

function tooLong(characters: number): never {
  return fail(
    'malformed_request',
    `The answer has ${characters} characters without its rows, and a reply at most ${MOST_CHARACTERS}; ask for less, or ask REST.`,
  )
}
