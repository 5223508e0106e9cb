import { getOrMake } from '../../base/maps.ts'
import { firstIndex } from '../../base/values/first-index.ts'
import { LAST_INSTANT } from '../../base/values/instant.ts'
import { itemAt } from '../../base/values/item-at.ts'
import { readCommit } from '../log/delta-log.ts'
import { checkpointVersions, readCheckpointHead } from '../log/read-checkpoint.ts'
import type { TableSnapshot } from './snapshot.ts'

type Newest = Pick<TableSnapshot, 'version' | 'committedAt'>

const CONCURRENCY = 16

/**
 * Commit times of one table, in milliseconds, never decreasing. A checkpoint has the time of its version, so only the
 * entries between two checkpoints are read, each once.
 */
export class TableTimes {
  /** Newest requested version and the digest of its entry. If that differs, another lake has this path. */
  newest: Pick<TableSnapshot, 'version' | 'digest'>
  readonly #table: string
  /** Versions of checkpoints, ascending. */
  #checkpoints: readonly number[] | undefined
  /** Commit times from checkpoints; undefined for an invalid one. */
  readonly #checkpointTimes = new Map<number, number | undefined>()
  /** Times of the versions after a checkpoint, by its version; -1 is the start of the log. */
  readonly #runs = new Map<number, number[]>()
  #first: number | undefined
  /** Serializes requests, so that each entry is read once. */
  #busy: Promise<unknown> = Promise.resolve()

  constructor(table: string, newest: TableTimes['newest']) {
    this.#table = table
    this.newest = newest
  }

  /** Finds the last version committed at or before a time; -1 when there is none. */
  versionAt(time: number, { version }: Newest, signal?: AbortSignal): Promise<number> {
    return this.#inTurn(async () => {
      const after = await this.#checkpointBefore(time, version)
      const next = (await this.#allCheckpoints()).find(
        (checkpoint) => checkpoint > after && (this.#checkpointTimes.get(checkpoint) ?? 0) > time,
      )
      const last = Math.min(next ?? version, version)
      const times = await this.#run(after, last, (newest) => newest > time, signal)
      return Math.min(after + firstIndex(times.length, (index) => itemAt(times, index) > time), version)
    })
  }

  /** Returns the time of the first commit that has one. */
  first({ version }: Newest, signal?: AbortSignal): Promise<number> {
    return this.#inTurn(async () => {
      if (this.#first === undefined) {
        const times = await this.#run(-1, version, (newest) => newest > 0, signal)
        this.#first = times.find((time) => time > 0)
      }
      return this.#first ?? 0
    })
  }

  async last(newest: Newest, signal?: AbortSignal): Promise<number> {
    if (isTime(newest.committedAt)) return newest.committedAt
    return await this.#inTurn(async () => {
      const after = await this.#checkpointBefore(Number.POSITIVE_INFINITY, newest.version)
      const times = await this.#run(after, newest.version, () => false, signal)
      return this.#newest(after, times)
    })
  }

  /** Finds the last checkpoint at or before a time, by bisection; -1 when there is none. */
  async #checkpointBefore(time: number, last: number): Promise<number> {
    const checkpoints = await this.#allCheckpoints()
    let [after, low, high] = [-1, 0, checkpoints.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const version = itemAt(checkpoints, middle)
      const committedAt = version <= last ? await this.#checkpointTime(version) : undefined
      if (committedAt !== undefined && committedAt <= time) [after, low] = [version, middle + 1]
      else high = middle
    }
    return after
  }

  async #allCheckpoints(): Promise<readonly number[]> {
    this.#checkpoints ??= [...(await checkpointVersions(this.#table))].reverse()
    return this.#checkpoints
  }

  async #checkpointTime(version: number): Promise<number | undefined> {
    if (!this.#checkpointTimes.has(version)) {
      const head = await readCheckpointHead(this.#table, version)
      const commit = head && (await readCommit(this.#table, version))
      const isValid =
        head !== undefined && commit?.entryDigest === head.entryDigest && isTime(head.committedAt)
      this.#checkpointTimes.set(version, isValid ? head.committedAt : undefined)
    }
    return this.#checkpointTimes.get(version)
  }

  /** Returns the last of the times after a checkpoint, or that of the checkpoint. */
  #newest(after: number, times: readonly number[]): number {
    return times.at(-1) ?? this.#checkpointTimes.get(after) ?? 0
  }

  /** Reads times of the versions after a checkpoint until `last`, or until `isEnough`. */
  async #run(
    after: number,
    last: number,
    isEnough: (newest: number) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const times = getOrMake(this.#runs, after, () => [])
    const newest = () => this.#newest(after, times)
    while (after + times.length < last && !isEnough(newest())) {
      signal?.throwIfAborted()
      const first = after + times.length + 1
      const count = Math.min(CONCURRENCY, last + 1 - first)
      const commits = await Promise.all(
        Array.from({ length: count }, (_, index) => readCommit(this.#table, first + index)),
      )
      for (const commit of commits) {
        const time = commit?.committedAt ?? 0
        times.push(Math.max(newest(), isTime(time) ? time : 0))
      }
    }
    return times
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#busy.then(work)
    this.#busy = done.catch(() => {})
    return done
  }
}

/** Checks that a time is a valid instant. A commit with another one gets the time of its predecessor. */
function isTime(time: number): boolean {
  return BigInt(time) * 1000n <= LAST_INSTANT
}
