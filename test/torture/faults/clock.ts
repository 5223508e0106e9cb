import { trials } from './trial.ts'

/** Gives each trial a clock that may jump; the others keep the true one. */
export function standAroundClock(): void {
  const TrueDate = Date
  const now = () => TrueDate.now() + (trials.getStore()?.ahead ?? 0)
  globalThis.Date = class extends TrueDate {
    constructor(...given: [] | [number]) {
      super(...((given.length === 0 ? [now()] : given) as [number]))
    }
    static override now = now
  } as DateConstructor
}
