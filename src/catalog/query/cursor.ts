import { LAST_INSTANT } from '../../base/values/instant.ts'
import type { Kind, Value } from '../column.ts'
import type { Resource, Row } from '../resource.ts'
import type { Position } from './plan.ts'

/** Parsers of ordering values in a cursor. Other kinds occur in no order. */
const readers: Readonly<Partial<Record<Kind, (text: string) => Value | undefined>>> = {
  text: readText,
  choice: readText,
  whole: (text) => readWhole(text, 2n ** 63n - 1n),
  long: (text) => readWhole(text, 2n ** 63n - 1n),
  instant: (text) => readWhole(text, LAST_INSTANT),
}

/** Returns the position of a row, which must have the columns of the order. */
export function positionOf(resource: Resource, row: Row): Position {
  return resource.order.map(({ column }) => row[column] ?? null)
}

/** Writes a position as an opaque text; it stays valid in later snapshots. */
export function writeCursor(resource: Resource, position: Position): string {
  const values = position.map((value) => (value === null ? null : String(value)))
  return Buffer.from(JSON.stringify([resource.name, ...values])).toString('base64url')
}

/** Parses a cursor of this resource; undefined for any text that `writeCursor` did not write. */
export function readCursor(resource: Resource, cursor: string): Position | undefined {
  const [name, ...texts] = readList(cursor)
  if (name !== resource.name || texts.length !== resource.order.length) return undefined
  const position = resource.order.map(({ column }, index) => readValue(resource, column, texts[index]))
  if (!position.every((value) => value !== undefined)) return undefined
  return writeCursor(resource, position) === cursor ? position : undefined
}

function readList(cursor: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

function readValue(resource: Resource, name: string, text: unknown): Value | undefined {
  const column = resource.columns[name]
  if (text === null) return column?.nullable === true ? null : undefined
  if (column === undefined || typeof text !== 'string') return undefined
  return readers[column.kind]?.(text)
}

/** Stored texts have no NUL; engines take it for the end of a text. */
function readText(text: string): string | undefined {
  return text.includes('\0') ? undefined : text
}

function readWhole(text: string, most: bigint): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined
  const value = BigInt(text)
  return value <= most && value >= -most ? value : undefined
}
