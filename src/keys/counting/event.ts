import { checksumOf } from '../line-checksum.ts'

/** Event in a line of the log; FORMAT.md has the meaning of `first` and `second` for each kind. */
export interface Event {
  readonly kind: (typeof kindNames)[number]
  /** Id of a key. */
  readonly id: string
  /** Eight hex digits of the counter that wrote the line. */
  readonly writer: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Null is written as a hyphen. */
  readonly first: number | null
  readonly second: number | null
}

const kindNames = ['try', 'spend', 'release', 'used', 'minute', 'end', 'older'] as const

const letters: Readonly<Record<(typeof kindNames)[number], string>> = {
  ...{ try: 'A', spend: 'S', release: 'B', used: 'U', minute: 'M', end: 'E', older: 'T' },
}

/** Reservations and processes of older builds. Their `S` lines have everything that they counted. */
const OLDER_LETTERS = 'HTRGK'

const kinds = new Map(kindNames.map((kind) => [letters[kind], kind]))

export const NOBODY = '00000000'
export const NO_KEY = '000000000000'

const LINE = /^(([ASBUMEHTRGK]) ([\da-f]{12}) ([\da-f]{8}) (\d{13}) (\d{1,12}|-) (\d{1,7}|-) *) ([\w-]{4})$/
const TEXT_BYTES = 58
const MOST_FIRST = 999_999_999_999
const MOST_SECOND = 9_999_999

/** Returns a line of 63 characters. Larger numbers, which no key reaches, are capped. */
export function lineOf({ kind, id, writer, at, first, second }: Event): string {
  const numbers = `${first === null ? '-' : Math.min(first, MOST_FIRST)} ${second === null ? '-' : Math.min(second, MOST_SECOND)}`
  const text = `${letters[kind]} ${id} ${writer} ${String(at).padStart(13, '0')} ${numbers}`.padEnd(
    TEXT_BYTES,
  )
  return `${text} ${checksumOf(text)}`
}

/** Parses a line; undefined if it is damaged. */
export function readLine(line: string): Event | undefined {
  const [, text = '', letter = '', id = '', writer = '', at, first = '', second = '', checksum] =
    LINE.exec(line) ?? []
  const kind = OLDER_LETTERS.includes(letter) ? 'older' : kinds.get(letter)
  if (kind === undefined || checksumOf(text) !== checksum) return undefined
  const numberIn = (written: string) => (written === '-' ? null : Number(written))
  return { kind, id, writer, at: Number(at), first: numberIn(first), second: numberIn(second) }
}
