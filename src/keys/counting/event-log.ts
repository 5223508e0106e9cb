import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { errorCodeOf, isMissing } from '../../lake/disk/disk.ts'
import { type Event, lineOf, NO_KEY, NOBODY, readLine } from './event.ts'
import { numbersIn, pathIn } from './log-files.ts'

/** State built from the events. */
export interface Replica {
  apply(event: Event): void
  /** Returns events that rebuild the state. */
  events(): readonly Event[]
}

/** Size at which a new file starts with the current state; at least twice the size of that state. */
const LONGEST_BYTES = 2 ** 20
const CHUNK_BYTES = 65_536
/** A line may be joined to one that a full disk cut off; the next attempt starts a new line. */
const ATTEMPTS = 3

const end: Event = { kind: 'end', id: NO_KEY, writer: NOBODY, at: 0, first: null, second: null }

/**
 * A log that several processes of one machine append to and read. The system appends each line as a whole, so all
 * processes read the same order, and none depends on another.
 * Files are numbered. The line `end` ends a file: readers ignore everything after it and create the next file. Calls
 * are synchronous and take microseconds.
 */
export class EventLog {
  readonly #folder: string
  readonly #newReplica: () => Replica
  readonly #longest: number
  readonly #chunk = Buffer.alloc(CHUNK_BYTES)
  #replica: Replica
  #descriptor: number | undefined
  #number = 0
  #offset = 0
  #limit = 0
  #isEnded = false

  constructor(folder: string, newReplica: () => Replica, longest = LONGEST_BYTES) {
    this.#folder = folder
    this.#newReplica = newReplica
    this.#longest = longest
    this.#replica = newReplica()
  }

  /** Appends events, and applies them and all events before them. Errors: those of the file system. */
  append(events: readonly Event[]): void {
    for (let attempt = 0; attempt < ATTEMPTS; ) {
      if (this.#descriptor === undefined) this.#openNewest()
      if (this.#isEnded) this.#moveOn()
      else if (this.#write(events)) return
      else if (!this.#isEnded) attempt += 1
    }
    throw new Error(`${pathIn(this.#folder, this.#number)} did not keep what was written`)
  }

  /** Applies new events of all processes. Errors: those of the file system. */
  read(): void {
    if (this.#descriptor === undefined) this.#openNewest()
    this.#readOn()
  }

  close(): void {
    if (this.#descriptor !== undefined) closeQuietly(this.#descriptor)
    this.#descriptor = undefined
  }

  /** Descriptor of the open file. Errors: Error if there is none. */
  get #opened(): number {
    if (this.#descriptor === undefined) throw new Error(`${this.#folder} is not open`)
    return this.#descriptor
  }

  /** Returns true if the events were applied. */
  #write(events: readonly Event[]): boolean {
    const lines = events.map(lineOf).join('\n')
    this.#append(lines)
    const areApplied = this.#readOn(lines, events)
    if (areApplied && !this.#isEnded && this.#offset > this.#limit) {
      this.#append(lineOf(end))
      this.#readOn()
    }
    return areApplied
  }

  #append(lines: string): void {
    const written = writeSync(this.#opened, `${lines}\n`, null, 'latin1')
    if (written <= lines.length)
      throw new Error(`${pathIn(this.#folder, this.#number)} did not take a whole line`)
  }

  /** Applies new lines of all processes; returns true if the appended lines are among them. */
  #readOn(appended = '', events: readonly Event[] = []): boolean {
    const last = appended.slice(appended.lastIndexOf('\n') + 1)
    let isThere = false
    while (!this.#isEnded) {
      const length = readSync(this.#opened, this.#chunk, 0, CHUNK_BYTES, this.#offset)
      if (length === 0) return isThere
      // Usually no other process has appended anything, and nothing needs parsing.
      if (length === appended.length + 1 && this.#chunk.toString('latin1', 0, length - 1) === appended) {
        this.#offset += length
        for (const event of events) this.#replica.apply(event)
        return true
      }
      const whole = this.#chunk.lastIndexOf('\n', length - 1) + 1
      if (length < CHUNK_BYTES && whole === 0) return isThere
      this.#offset += whole || length
      for (const line of this.#chunk.toString('latin1', 0, whole - 1).split('\n')) {
        const event = readLine(line)
        if (event?.kind === 'end') {
          this.#isEnded = true
          return isThere
        }
        if (event !== undefined) this.#replica.apply(event)
        isThere ||= line === last
      }
      if (isThere && length < CHUNK_BYTES) return true
    }
    return isThere
  }

  /** Creates the file after an ended one, unless another process did. All processes would write the same start. */
  #moveOn(): void {
    const temporary = join(this.#folder, `${randomUUID()}.tmp`)
    try {
      const lines = this.#replica.events().map((event) => `${lineOf(event)}\n`)
      writeFileSync(temporary, lines.join(''), { mode: 0o600, flag: 'wx' })
      linkSync(temporary, pathIn(this.#folder, this.#number + 1))
    } catch (error) {
      if (errorCodeOf(error) !== 'EEXIST') throw error
    } finally {
      rmSync(temporary, { force: true })
    }
    for (const number of numbersIn(this.#folder))
      if (number <= this.#number) rmSync(pathIn(this.#folder, number), { force: true })
    this.#openNewest()
  }

  #openNewest(): void {
    this.close()
    makeFolder(this.#folder)
    for (;;) {
      const newest = numbersIn(this.#folder).at(-1)
      const number = newest ?? 1
      const descriptor = this.#openFile(number, newest === undefined)
      // Another process may have created the next file.
      if (descriptor !== undefined && numbersIn(this.#folder).at(-1) === number) {
        this.#descriptor = descriptor
        this.#number = number
        break
      }
      if (descriptor !== undefined) closeQuietly(descriptor)
    }
    this.#offset = 0
    this.#isEnded = false
    this.#replica = this.#newReplica()
    this.#readOn()
    this.#limit = Math.max(this.#longest, 2 * this.#offset)
  }

  #openFile(number: number, isFirst: boolean): number | undefined {
    try {
      const flags = constants.O_RDWR | constants.O_APPEND | (isFirst ? constants.O_CREAT : 0)
      return openSync(pathIn(this.#folder, number), flags, 0o600)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
}

/** Closes a file. An error here cannot change anything that was counted. */
function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor)
  } catch {}
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
  }
}
