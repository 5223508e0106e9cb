import { appendFileSync, closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { isMissing } from '../../lake/disk/disk.ts'
import { checksumOf } from './line-checksum.ts'

/** Requests counted since `since`, milliseconds since 1970. */
export interface KeyUsage {
  readonly since: number
  readonly used: number
}

interface Line extends KeyUsage {
  readonly id: string
}

export const QUOTA_WINDOW_MS = 30 * 86_400_000

/** The usage of the window that an instant lies in; a window begins with the first request after the last one. */
export function usageAt(usage: KeyUsage | undefined, at: number): KeyUsage {
  return usage === undefined || at >= usage.since + QUOTA_WINDOW_MS ? { since: at, used: 0 } : usage
}

/** A line begins in its own 64 bytes, so that no block of a disk ever has half of one. */
const LINE_BYTES = 64
/** Id, since, used, and a checksum of them, which older builds did not write. */
const LINE = /^(([\da-f]{12}) (\S{24}) (\d{20}))(?: ([\w-]{4})| {5})\n$/

/**
 * Used quota of each key, a line overwritten in place. The log of counts (`counting`) decides; this file is for
 * people, for `keys list` and for older builds. A line that is written while another process writes the same one may lag behind the log.
 */
export class UsageFile {
  readonly #path: string
  readonly #onError: (error: unknown) => void
  readonly #offsets = new Map<string, number>()
  /** Offsets of damaged lines; each is reported once. */
  readonly #damaged = new Set<number>()
  #descriptor: number | undefined

  constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path
    this.#onError = onError
  }

  /** Returns the usage in the line of a key, or undefined. */
  find(id: string): KeyUsage | undefined {
    const offset = this.#offsetOf(id)
    const line = offset === undefined ? undefined : this.#lineAt(offset)
    return line && { since: line.since, used: line.used }
  }

  /** Keeps the line if it has a later count of the same window, which another process wrote. Errors: those of the file system. */
  write(id: string, usage: KeyUsage): void {
    const offset = this.#offsetOf(id) ?? this.#newOffset(id, usage)
    const line = this.#lineAt(offset)
    if (line?.since === usage.since && line.used >= usage.used) return
    writeSync(this.#open(), lineOf(id, usage), 0, LINE_BYTES, offset)
  }

  close(): void {
    if (this.#descriptor !== undefined) closeQuietly(this.#descriptor)
    this.#descriptor = undefined
  }

  #open(): number {
    this.#descriptor ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
    return this.#descriptor
  }

  #offsetOf(id: string): number | undefined {
    const knownOffset = this.#offsets.get(id)
    if (knownOffset !== undefined) return knownOffset
    const descriptor = this.#openIfThere()
    if (descriptor === undefined) return undefined
    const { size } = fstatSync(descriptor)
    for (let offset = 0; offset + LINE_BYTES <= size; offset += LINE_BYTES) {
      // The first line of an id counts, should two processes have begun one.
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

  #newOffset(id: string, usage: KeyUsage): number {
    const tooLong = fstatSync(this.#open()).size % LINE_BYTES
    const filled = tooLong === 0 ? '' : `${' '.repeat(LINE_BYTES - tooLong - 1)}\n`
    appendFileSync(this.#path, filled + lineOf(id, usage))
    const offset = this.#offsetOf(id)
    if (offset === undefined) throw new Error(`${this.#path} did not keep what was written`)
    return offset
  }

  #lineAt(offset: number): Line | undefined {
    const bytes = Buffer.alloc(LINE_BYTES)
    // Another process may write it in the moment that it is read.
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

/** Closes a file whose writes have ended: an error that comes now changes nothing that was counted. */
export function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor)
  } catch {}
}

/** Beside the keys lies what they have used. */
export function usageFileOf(keyFile: string): string {
  return `${keyFile.replace(/\.ndjson$/, '')}.usage`
}

function lineOf(id: string, { since, used }: KeyUsage): Buffer {
  const written = `${id} ${new Date(since).toISOString()} ${String(used).padStart(20, '0')}`
  return Buffer.from(`${written} ${checksumOf(written)}\n`, 'latin1')
}

/** Undefined for what is not as it was written. */
function readLine(text: string): Line | undefined {
  const [, counted = '', id = '', since = '', used, checksum] = LINE.exec(text) ?? []
  const isWritten = counted !== '' && (checksum ?? checksumOf(counted)) === checksumOf(counted)
  return isWritten ? { id, since: Date.parse(since), used: Number(used) } : undefined
}

/** Numbers of the lines of a usage file that are not as they were written, from 1. Blanks fill up what an older build cut off. */
export function damagedUsage(text: string): readonly number[] {
  const lines = Array.from({ length: Math.ceil(text.length / LINE_BYTES) }, (_, place) =>
    text.slice(place * LINE_BYTES, (place + 1) * LINE_BYTES),
  )
  return lines.flatMap((line, place) => {
    const isUnfinished = line.length < LINE_BYTES && place === lines.length - 1
    return isUnfinished || readLine(line) !== undefined ? [] : [place + 1]
  })
}
