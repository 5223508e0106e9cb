import { FileFault, shorten } from '../../wire/faults.ts'

/** A record is `buffer` from `start` to `end`, valid during the call. */
export type VisitRecord = (buffer: Buffer, start: number, end: number, ordinal: number) => void

/** Longest record, in bytes; a hotspot has about one thousand. */
const LONGEST_RECORD = 1_000_000
/** Longest text before the records of a page. */
const LONGEST_META = 4096
const BYTE_ORDER_MARK = Buffer.from('efbbbf', 'hex')

/** The page object of a REST list, up to its first record. */
const PAGE_START = /^\{\s*("meta"\s*:\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*,\s*)?"(records|objects)"\s*:\s*\[/

const [QUOTE, COMMA, BACKSLASH, NEWLINE] = [0x22, 0x2c, 0x5c, 0x0a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * State of the cutter: at the start, in lines, before the first or a later record of a list, after a record, after
 * the list of a page, after everything.
 */
type CutterState = 'start' | 'lines' | 'first' | 'next' | 'behind' | 'tail' | 'end'

/** Cuts a stream into records: lines, elements of a list, or those of REST pages. */
export class RecordCutter {
  readonly #visit: VisitRecord
  #place: CutterState = 'start'
  #isPage = false
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes consumed before `#rest`. */
  #before = 0
  records = 0

  constructor(visit: VisitRecord) {
    this.#visit = visit
  }

  /** Returns true for a list, where nothing after a broken record can be parsed. */
  get isList(): boolean {
    return this.#place !== 'start' && this.#place !== 'lines'
  }

  /** Errors: FileFault. */
  push(chunk: Buffer): void {
    const buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const end = this.#cut(buffer, false)
    this.#rest = Buffer.from(buffer.subarray(end))
    this.#before += end
    if (this.#rest.length > LONGEST_RECORD) {
      throw new FileFault(
        `record ${this.records} at byte ${this.#before} is longer than ${LONGEST_RECORD} bytes, the limit`,
      )
    }
  }

  /** Errors: FileFault, also for an empty file. */
  finish(): void {
    const end = this.#cut(this.#rest, true)
    if (this.#place === 'lines') this.#visitLine(this.#rest, end, this.#rest.length)
    else if (this.#place === 'start')
      throw new FileFault('the file is empty; expected records, or [] for none')
    else if (this.#place !== 'end') {
      throw new FileFault(
        `the list breaks off before record ${this.records} at byte ${this.#before + this.#rest.length}; expected a whole list`,
      )
    }
  }

  /** Visits complete records; returns the position of the first incomplete one. */
  #cut(buffer: Buffer, isLast: boolean): number {
    let at = 0
    for (;;) {
      if (this.#place === 'lines') return this.#cutLines(buffer, at)
      at = skipBlanks(buffer, at)
      if (at === buffer.length) return at
      const next = this.#step(buffer, at, isLast)
      if (next < 0) return at
      at = next
    }
  }

  #cutLines(buffer: Buffer, from: number): number {
    let start = from
    for (;;) {
      const end = buffer.indexOf(NEWLINE, start)
      if (end < 0) return start
      this.#visitLine(buffer, start, end)
      start = end + 1
    }
  }

  #visitLine(buffer: Buffer, from: number, to: number): void {
    const start = skipBlanks(buffer, from)
    let end = to
    while (end > start && isBlank(buffer[end - 1])) end -= 1
    if (start < end) this.#take(buffer, start, end)
  }

  #take(buffer: Buffer, start: number, end: number): void {
    this.#visit(buffer, start, end, this.records)
    this.records += 1
  }

  /** Consumes a record or a delimiter; returns its end, or -1 when it is incomplete. */
  #step(buffer: Buffer, at: number, isLast: boolean): number {
    const byte = buffer[at]
    if (this.#place === 'start' || this.#place === 'end') return this.#open(buffer, at, isLast)
    if (this.#place === 'tail') return this.#moveTo('end', endOfValue(buffer, at, 1))
    if (byte === CLOSE_LIST && this.#place !== 'next')
      return this.#moveTo(this.#isPage ? 'tail' : 'end', at + 1)
    if (this.#place === 'behind') {
      if (byte !== COMMA) this.#refuse(buffer, at, 'a comma or the end of the list')
      return this.#moveTo('next', at + 1)
    }
    const end = endOfValue(buffer, at, 0)
    if (end === at) this.#refuse(buffer, at, 'a record')
    if (end < 0) return end
    this.#place = 'behind'
    this.#take(buffer, at, end)
    return end
  }

  /** Starts lines, a list or a page. An export of many pages concatenates them. */
  #open(buffer: Buffer, at: number, isLast: boolean): number {
    const isAnother = this.#place === 'end'
    if (!isLast && buffer.length - at < LONGEST_META) return -1
    const start =
      this.#before + at === 0 && buffer.indexOf(BYTE_ORDER_MARK) === 0 ? skipBlanks(buffer, 3) : at
    const page = PAGE_START.exec(buffer.toString('latin1', start, start + LONGEST_META))
    if (page !== null && (!isAnother || this.#isPage)) {
      this.#isPage = true
      return this.#moveTo('first', start + page[0].length)
    }
    if (isAnother) this.#refuse(buffer, at, 'nothing behind the list')
    if (buffer[start] === OPEN_LIST) return this.#moveTo('first', start + 1)
    return this.#moveTo(start === buffer.length ? 'start' : 'lines', start)
  }

  #moveTo(place: CutterState, at: number): number {
    if (at >= 0) this.#place = place
    return at
  }

  #refuse(buffer: Buffer, at: number, expected: string): never {
    const excerpt = JSON.stringify(shorten(buffer.toString('latin1', at, at + 20)))
    throw new FileFault(
      `the list breaks before record ${this.records} at byte ${this.#before + at}, at ${excerpt}; expected ${expected}`,
    )
  }
}

/**
 * Returns the end of the JSON value at `start`, by brackets and quotes. `depth` counts brackets already open. Returns
 * `start` if no value begins there, -1 if it is incomplete.
 */
function endOfValue(buffer: Buffer, start: number, depth: number): number {
  let open = depth
  for (let at = start; at < buffer.length; at += 1) {
    const byte = buffer[at]
    if (byte === QUOTE) {
      at = endOfText(buffer, at)
      if (at < 0) return -1
      if (open === 0) return at + 1
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (open === 0) return at
      open -= 1
      if (open === 0) return at + 1
    } else if (open === 0 && (byte === COMMA || isBlank(byte))) return at
  }
  return -1
}

/** Returns the position of the closing quote, which follows an even number of backslashes. */
function endOfText(buffer: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = buffer.indexOf(QUOTE, at + 1)
    if (at < 0) return -1
    let slashes = at
    while (buffer[slashes - 1] === BACKSLASH) slashes -= 1
    if ((at - slashes) % 2 === 0) return at
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}

function skipBlanks(buffer: Buffer, from: number): number {
  let at = from
  while (at < buffer.length && isBlank(buffer[at])) at += 1
  return at
}
