import { lengthAt, MOST_NUMBER, NULL, numberAt, RECENT, scanRows, TEXT } from './block.ts'
import { type BlockForm, fieldsOf } from './block-form.ts'
import { type Token, unzigzag } from './forms.ts'

const MOST_RECENT = 4

/** What the rows so far said of each column, for each reward type by itself. */
export interface Memory {
  readonly near: (bigint | undefined)[]
  readonly recent: (Token[] | undefined)[]
}

export function openMemory({ forms, types }: BlockForm): Memory {
  const places = forms.length * types
  return { near: Array<undefined>(places), recent: Array<undefined>(places) }
}

/** The tokens said last of a column. */
export function recentOf({ recent }: Memory, place: number): Token[] {
  const own = recent[place] ?? []
  recent[place] = own
  return own
}

/** Puts a token first among those said last; gives its place before, -1 when it was not among them. */
export function remember(recent: Token[], token: Token): number {
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
 * Goes over all rows with what they say; gives the group of the last one. `columns` are those that are asked for, all of
 * them unless told.
 */
export function readRows(
  bytes: Buffer,
  form: BlockForm,
  memory: Memory,
  visit: VisitTokens,
  columns?: readonly number[],
): number {
  const tokens: (Token | null)[] = []
  let number = 0
  return scanRows(bytes, form, ({ group, codes, starts }) => {
    const fields = fieldsOf(form, group)
    const first = form.firstPlace(group)
    for (let field = 0; field < fields.length; field += 1) {
      const column = fields[field] ?? 0
      const codec = form.forms[column]?.codec
      if (codec === 'free' || columns?.includes(column) === false) continue
      const place = first + column
      const code = codes[field] ?? 0
      const start = starts[field] ?? 0
      tokens[field] =
        codec === 'near'
          ? recallNear(memory, place, bytes, code, start)
          : recallAgain(recentOf(memory, place), bytes, code, start)
    }
    visit(number, group, (column) => {
      const field = fields.indexOf(column)
      if (field < 0) return form.commonOf(group, column) ?? null
      if (form.forms[column]?.codec !== 'free') return tokens[field] ?? null
      return codes[field] === NULL ? null : numberAt(bytes, starts[field] ?? 0, codes[field] ?? 0)
    })
    number += 1
  })
}

function recallNear(
  { near }: Memory,
  place: number,
  bytes: Buffer,
  code: number,
  start: number,
): Token | null {
  if (code === NULL) return null
  const value = BigInt.asIntN(64, (near[place] ?? 0n) + unzigzag(numberAt(bytes, start, code)))
  near[place] = value
  return value
}

function recallAgain(recent: Token[], bytes: Buffer, code: number, start: number): Token | null {
  if (code === NULL) return null
  if (code === RECENT) return recent[0] ?? 0n
  const isThere = code >= RECENT && code < RECENT + MOST_RECENT
  const token = isThere ? (recent[code - RECENT] ?? 0n) : tokenAt(bytes, start, code)
  remember(recent, token)
  return token
}

function tokenAt(bytes: Buffer, start: number, code: number): Token {
  if (code <= MOST_NUMBER) return numberAt(bytes, start, code)
  const head = code === TEXT ? 1 : 4
  return bytes.toString('latin1', start + head, start + lengthAt(bytes, start, code))
}
