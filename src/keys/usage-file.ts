import { appendFileSync, closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { isMissing } from '../lake/disk.ts'

/** Requests counted since `since`, milliseconds since 1970. */
export interface Usage {
  readonly since: number
  readonly used: number
}

interface Line extends Usage {
  readonly id: string
}

export const QUOTA_WINDOW_MS = 30 * 86_400_000

/** A line begins in its own 64 bytes, so that no block of a disk ever has half of one. */
const LINE_BYTES = 64
/** Id, since, used, and a checksum of them, which older builds did not write. */
const LINE = /^(([\da-f]{12}) (\S{24}) (\d{20}))(?: ([\w-]{4})| {5})\n$/

/**
 * How much of their quota keys have used, a line for each, which is overwritten in place. A count is handed to the
 * system before the answer leaves, so a killed server forgets nothing; and since a line is read before it is written,
 * several servers of one file count together, but for requests that both count in the same moment.
 */
export class UsageFile {
  readonly #path: string
  readonly #onError: (error: unknown) => void
  readonly #offsets = new Map<string, number>()
  /** Counts that could not be written; they are tried again with the next one. */
  readonly #unwritten = new Map<string, number>()
  /** Offsets of damaged lines; each is reported once. */
  readonly #damaged = new Set<number>()
  #descriptor: number | undefined

  constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path
    this.#onError = onError
  }

  /** The usage of the window that `now` lies in; a window begins with the first request after the last one. */
  of(id: string, now: number): Usage {
    const offset = this.#offsetOf(id)
    const found = offset === undefined ? undefined : this.#lineAt(offset)
    const isOver = found === undefined || now >= found.since + QUOTA_WINDOW_MS
    const { since, used } = isOver ? { since: now, used: 0 } : found
    return { since, used: used + (this.#unwritten.get(id) ?? 0) }
  }

  /** Counts one request. */
  count(id: string, now: number): void {
    try {
      const offset = this.#offsetOf(id) ?? this.#newOffset(id, now)
      const { since, used } = this.of(id, now)
      writeSync(this.#open(), lineOf(id, { since, used: used + 1 }), 0, LINE_BYTES, offset)
      this.#unwritten.delete(id)
    } catch (error) {
      this.#unwritten.set(id, (this.#unwritten.get(id) ?? 0) + 1)
      this.#onError(error)
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #open(): number {
    this.#descriptor ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
    return this.#descriptor
  }

  #offsetOf(id: string): number | undefined {
    const known = this.#offsets.get(id)
    if (known !== undefined) return known
    const descriptor = this.#openIfThere()
    if (descriptor === undefined) return undefined
    const { size } = fstatSync(descriptor)
    for (let offset = 0; offset + LINE_BYTES <= size; offset += LINE_BYTES) {
      // The first line of an id counts, should two servers have begun one.
      const id = this.#lineAt(offset)?.id
      if (id !== undefined && !this.#offsets.has(id)) this.#offsets.set(id, offset)
    }
    return this.#offsets.get(id)
  }

  #openIfThere(): number | undefined {
    try {
      this.#descriptor ??= openSync(this.#path, constants.O_RDWR)
    } catch (error) {
      if (!isMissing(error)) this.#onError(error)
    }
    return this.#descriptor
  }

  #newOffset(id: string, now: number): number {
    const tooLong = fstatSync(this.#open()).size % LINE_BYTES
    const filled = tooLong === 0 ? '' : `${' '.repeat(LINE_BYTES - tooLong - 1)}\n`
    appendFileSync(this.#path, filled + lineOf(id, { since: now, used: 0 }))
    const offset = this.#offsetOf(id)
    if (offset === undefined) throw new Error(`${this.#path} did not keep what was written`)
    return offset
  }

  #lineAt(offset: number): Line | undefined {
    const bytes = Buffer.alloc(LINE_BYTES)
    // Another server may write it in the moment that it is read.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      readSync(this.#open(), bytes, 0, LINE_BYTES, offset)
      const line = readLine(bytes.toString('latin1'))
      if (line !== undefined) return line
    }
    if (!this.#damaged.has(offset)) {
      this.#damaged.add(offset)
      const line = offset / LINE_BYTES + 1
      this.#onError(
        new Error(
          `Line ${line} of ${this.#path} is not as it was written; what its key has used is counted anew.`,
        ),
      )
    }
    return undefined
  }
}

/** Beside the keys lies what they have used. */
export function usageFileOf(keyFile: string): string {
  return `${keyFile.replace(/\.ndjson$/, '')}.usage`
}

function lineOf(id: string, { since, used }: Usage): Buffer {
  const written = `${id} ${new Date(since).toISOString()} ${String(used).padStart(20, '0')}`
  return Buffer.from(`${written} ${checksumOf(written)}\n`, 'latin1')
}

/** Undefined for what is not as it was written. */
function readLine(text: string): Line | undefined {
  const [, counted = '', id = '', since = '', used, checksum] = LINE.exec(text) ?? []
  const isWritten = counted !== '' && (checksum ?? checksumOf(counted)) === checksumOf(counted)
  return isWritten ? { id, since: Date.parse(since), used: Number(used) } : undefined
}

/** 24 bits of the CRC-32, as four characters. */
function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(crc32(text))
  return bytes.toString('base64url').slice(0, 4)
}
