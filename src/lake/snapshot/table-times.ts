import { firstPlace } from '../../base/values/first-place.ts'
import { LAST_INSTANT } from '../../base/values/instant.ts'
import { itemAt } from '../../base/values/item-at.ts'
import { readCommit } from '../log/delta-log.ts'
import { checkpointVersions, readCheckpointHead } from '../log/read-checkpoint.ts'
import type { TableSnapshot } from './snapshot.ts'

type Newest = Pick<TableSnapshot, 'version' | 'committedAt'>

const READ_AT_ONCE = 16

/**
 * When the versions of one table were committed, in milliseconds; never less than the one before. A checkpoint names the time of its
 * version, so only the entries from there to the next one are read, each once.
 */
export class TableTimes {
  /** The newest version that was asked about, and the digest of its entry: where it differs, another lake has come here. */
  newest: Pick<TableSnapshot, 'version' | 'digest'>
  readonly #table: string
  /** Versions of checkpoints, ascending; and what each says of its time, undefined where it cannot be believed. */
  #checkpoints: readonly number[] | undefined
  readonly #named = new Map<number, number | undefined>()
  /** Times of the versions after a checkpoint, by its version; from -1 on those of the first. */
  readonly #runs = new Map<number, number[]>()
  #first: number | undefined
  /** Whoever comes next waits, and finds what was read. */
  #busy: Promise<unknown> = Promise.resolve()

  constructor(table: string, newest: TableTimes['newest']) {
    this.#table = table
    this.newest = newest
  }

  /** The last version whose commit is not later than a time; -1 when all are. */
  versionAt(time: number, { version }: Newest, signal?: AbortSignal): Promise<number> {
    return this.#inTurn(async () => {
      const after = await this.#checkpointBefore(time, version)
      const next = (await this.#allCheckpoints()).find(
        (own) => own > after && (this.#named.get(own) ?? 0) > time,
      )
      const last = Math.min(next ?? version, version)
      const times = await this.#run(after, last, (newest) => newest > time, signal)
      return Math.min(after + firstPlace(times.length, (place) => itemAt(times, place) > time), version)
    })
  }

  /** The time of the first commit that tells one. */
  first({ version }: Newest, signal?: AbortSignal): Promise<number> {
    return this.#inTurn(async () => {
      if (this.#first === undefined) {
        const times = await this.#run(-1, version, (newest) => newest > 0, signal)
        this.#first = times.find((own) => own > 0)
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

  /** The last checkpoint whose time is not later, by bisection; -1 when there is none. */
  async #checkpointBefore(time: number, last: number): Promise<number> {
    const checkpoints = await this.#allCheckpoints()
    let [after, low, high] = [-1, 0, checkpoints.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const version = itemAt(checkpoints, middle)
      const named = version <= last ? await this.#timeNamedBy(version) : undefined
      if (named !== undefined && named <= time) [after, low] = [version, middle + 1]
      else high = middle
    }
    return after
  }

  async #allCheckpoints(): Promise<readonly number[]> {
    this.#checkpoints ??= [...(await checkpointVersions(this.#table))].reverse()
    return this.#checkpoints
  }

  async #timeNamedBy(version: number): Promise<number | undefined> {
    if (!this.#named.has(version)) {
      const head = await readCheckpointHead(this.#table, version)
      const commit = head && (await readCommit(this.#table, version))
      const isOwn = head !== undefined && commit?.entryDigest === head.entryDigest && isTime(head.committedAt)
      this.#named.set(version, isOwn ? head.committedAt : undefined)
    }
    return this.#named.get(version)
  }

  /** The last of the times after a checkpoint, or its own. */
  #newest(after: number, times: readonly number[]): number {
    return times.at(-1) ?? this.#named.get(after) ?? 0
  }

  /** The times of the versions after a checkpoint, as far as they are wanted. */
  async #run(
    after: number,
    last: number,
    isEnough: (newest: number) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    const times = this.#runs.get(after) ?? []
    this.#runs.set(after, times)
    const newest = () => this.#newest(after, times)
    while (after + times.length < last && !isEnough(newest())) {
      signal?.throwIfAborted()
      const first = after + times.length + 1
      const count = Math.min(READ_AT_ONCE, last + 1 - first)
      const commits = await Promise.all(
        Array.from({ length: count }, (_, place) => readCommit(this.#table, first + place)),
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

/** A commit that names a time after all instants counts as old as the one before it. */
function isTime(time: number): boolean {
  return BigInt(time) * 1000n <= LAST_INSTANT
}
