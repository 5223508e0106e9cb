import { type Token, unzigzag } from '../derive/column-codecs.ts'
import { lengthAt, MOST_NUMBER, NULL, numberAt, RECENT, scanRows, TEXT } from './block.ts'
import { type BlockLayout, fieldsOf } from './block-layout.ts'

export const MOST_RECENT = 4

/** The last values of each column in the rows read so far, for each type of groups separately. */
export interface Memory {
  readonly previous: (bigint | undefined)[]
  readonly recent: (Token[] | undefined)[]
}

export function openMemory({ codecs, types }: BlockLayout): Memory {
  const places = codecs.length * types
  return { previous: Array<undefined>(places), recent: Array<undefined>(places) }
}

/** The last distinct tokens of a column, newest first. */
function recentOf({ recent }: Memory, place: number): Token[] {
  const own = recent[place] ?? []
  recent[place] = own
  return own
}

/** Moves a token to the front, or adds it there; returns its place before, -1 when it is new. */
function moveToFront(recent: Token[], token: Token): number {
  const place = recent.indexOf(token)
  if (place === 0) return place
  if (place > 0) recent.splice(place, 1)
  else if (recent.length === MOST_RECENT) recent.pop()
  recent.unshift(token)
  return place
}

/** Called for each row with its number in the block, its group, and its values by the numbers of their columns. */
export type VisitTokens = (row: number, group: number, tokenOf: (column: number) => Token | null) => void

/**
 * Visits all rows with their values; returns the group of the last one. `columns` are those that are needed, by default all.
 */
export function readRows(
  bytes: Buffer,
  layout: BlockLayout,
  memory: Memory,
  visit: VisitTokens,
  columns?: readonly number[],
): number {
  const tokens: (Token | null)[] = []
  let number = 0
  return scanRows(bytes, layout, ({ group, codes, starts }) => {
    const fields = fieldsOf(layout, group)
    const first = layout.firstPlace(group)
    for (let field = 0; field < fields.length; field += 1) {
      const column = fields[field] ?? 0
      const method = layout.codecs[column]?.method
      if (method === 'plain' || columns?.includes(column) === false) continue
      const place = first + column
      const code = codes[field] ?? 0
      const start = starts[field] ?? 0
      tokens[field] =
        method === 'delta'
          ? readDelta(memory, place, bytes, code, start)
          : readRecent(recentOf(memory, place), bytes, code, start)
    }
    visit(number, group, (column) => {
      const field = fields.indexOf(column)
      if (field < 0) return layout.commonOf(group, column) ?? null
      if (layout.codecs[column]?.method !== 'plain') return tokens[field] ?? null
      return codes[field] === NULL ? null : numberAt(bytes, starts[field] ?? 0, codes[field] ?? 0)
    })
    number += 1
  })
}

function readDelta(
  { previous }: Memory,
  place: number,
  bytes: Buffer,
  code: number,
  start: number,
): Token | null {
  if (code === NULL) return null
  const value = BigInt.asIntN(64, (previous[place] ?? 0n) + unzigzag(numberAt(bytes, start, code)))
  previous[place] = value
  return value
}

function readRecent(recent: Token[], bytes: Buffer, code: number, start: number): Token | null {
  if (code === NULL) return null
  if (code === RECENT) return recent[0] ?? 0n
  const isThere = code >= RECENT && code < RECENT + MOST_RECENT
  const token = isThere ? (recent[code - RECENT] ?? 0n) : tokenAt(bytes, start, code)
  moveToFront(recent, token)
  return token
}

function tokenAt(bytes: Buffer, start: number, code: number): Token {
  if (code <= MOST_NUMBER) return numberAt(bytes, start, code)
  const head = code === TEXT ? 1 : 4
  return bytes.toString('latin1', start + head, start + lengthAt(bytes, start, code))
}
