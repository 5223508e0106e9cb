import { CANCELLED, TOO_LONG } from './postgres-errors.ts'

/** The time of one statement, which its client may cut short. */
export class Deadline {
  readonly #end = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly signal: AbortSignal

  constructor(ms: number, ended: AbortSignal) {
    this.signal = AbortSignal.any([this.#end.signal, ended])
    this.#timer = setTimeout(() => this.#end.abort(new Error(TOO_LONG)), ms)
  }

  cancel(): void {
    this.#end.abort(new Error(CANCELLED))
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
