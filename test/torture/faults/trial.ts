import { AsyncLocalStorage } from 'node:async_hooks'
import { relative } from 'node:path'
import { deriveSeed, openRandom, type Random } from '../../../src/write/sample/random.ts'
import { DurableState } from './durable-state.ts'
import {
  endsProcess,
  type FaultKind,
  faultKinds,
  type Injection,
  isPowerCut,
  type Operation,
} from './faults.ts'

/** What becomes of one operation. */
type Verdict = 'goes' | 'fails' | 'short' | 'flipped' | 'slow'

export interface Met {
  readonly verdict: Verdict
  /** What it fails with. */
  readonly code: string
}

const DAY_MS = 86_400_000
const jumps = [8 * DAY_MS, 40 * DAY_MS, -8 * DAY_MS, -25 * 365 * DAY_MS, -3_600_000]

const verdicts: Partial<Readonly<Record<FaultKind, Verdict>>> = {
  'short write': 'short',
  'short read': 'short',
  'flipped bit': 'flipped',
  slow: 'slow',
}
const lasting: Partial<Readonly<Record<FaultKind, string>>> = { 'disk full': 'ENOSPC', 'read-only': 'EROFS' }

/** One run of a program with at most one fault. Its operations are counted; those of a process that is gone fail. */
export class Trial {
  readonly folder: string
  readonly operations: Operation[] = []
  readonly random: Random
  readonly kind: FaultKind
  durable: DurableState | undefined
  /** Where it is, for a sentence about a promise that does not hold. */
  step = 'while it ran'
  /** Milliseconds that its clock is ahead. */
  ahead = 0
  isGone = false
  readonly #injection: Injection | undefined

  constructor(folder: string, injection?: Injection) {
    this.folder = folder
    this.#injection = injection
    this.kind = injection?.kind ?? 'slow'
    this.random = openRandom(deriveSeed('fault', injection?.seed ?? ''))
  }

  /** Once the folder is as it is before. */
  begin(): void {
    if (isPowerCut(this.kind)) this.durable = new DurableState(this.folder)
  }

  /** The power was cut after the last operation, when success had been told. */
  isCutAtEnd = false

  /** Says that the program has ended; gives whether the fault was met. What still runs fails from now on. */
  end(): boolean {
    if (this.#injection === undefined) return false
    const isHit = this.operations.length >= this.#injection.at
    if (this.durable !== undefined && !isHit && !this.isGone) {
      this.isCutAtEnd = true
      this.#cut()
    }
    this.isGone = true
    return isHit || this.isCutAtEnd
  }

  /** Path in the folder; undefined for what lies elsewhere, which is let alone. */
  within(path: unknown): string | undefined {
    if (typeof path !== 'string') return undefined
    const way = relative(this.folder, path)
    return way.startsWith('..') ? undefined : way
  }

  meet(operation: Operation): Met {
    if (this.isGone) return { verdict: 'fails', code: 'EIO' }
    this.operations.push(operation)
    const goes: Met = { verdict: 'goes', code: '' }
    if (this.#injection === undefined) return goes
    const { kind, at } = this.#injection
    const number = this.operations.length
    const code = lasting[kind]
    if (code !== undefined && number >= at && faultKinds[kind](operation)) return { verdict: 'fails', code }
    if (number !== at) return goes
    if (kind === 'clock jump') this.ahead = jumps[this.random.below(jumps.length)] ?? 0
    if (/^E[A-Z]+$/.test(kind)) return { verdict: 'fails', code: kind }
    return { verdict: verdicts[kind] ?? 'goes', code: 'ENOSPC' }
  }

  /** Says that an operation was done; throws when the process ends with it. */
  done(number: number): void {
    if (this.isGone) throw gone()
    if (this.#injection === undefined || number !== this.#injection.at) return
    if (!endsProcess(this.#injection.kind)) return
    this.isGone = true
    this.#cut()
    throw gone()
  }

  /** What was synced is read from the disk, which is no operation of the program. */
  synced(path: string): void {
    trials.exit(() => this.durable?.sync(path))
  }

  #cut(): void {
    const random = this.#injection?.kind === 'power cut' ? undefined : this.random
    trials.exit(() => this.durable?.cut(random))
  }
}

const gone = () => Object.assign(new Error('EIO: i/o error, the process is gone'), { code: 'EIO' })

/** The trial that a call belongs to, however late it comes. */
export const trials = new AsyncLocalStorage<Trial>()
