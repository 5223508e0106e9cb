import type { ListPlan } from '../../src/catalog/query/plan.ts'
import type { Engine, Work } from '../../src/engine/engine.ts'
import type { ServiceOptions } from '../../src/services/options.ts'
import { openServices, type Services } from '../../src/services/services.ts'
import type { Settings } from '../../src/services/settings/settings.ts'

/** What an engine has read so far; columns are those of statements for rows. */
interface CountedWork extends Work {
  readonly columns: number
}

export interface CountingEngine extends Engine {
  work(): CountedWork
}

/** The services with an engine that counts; `aroundEngine` stands between it and those who ask. */
export async function openCounted(
  settings: Settings,
  { aroundEngine = (own) => own, ...options }: ServiceOptions = {},
): Promise<Services & { readonly engine: CountingEngine }> {
  let engine!: CountingEngine
  const services = await openServices(settings, {
    ...options,
    aroundEngine(own) {
      engine = countingEngine(own)
      return aroundEngine(engine)
    },
  })
  return { ...services, engine }
}

/** An engine that also adds up what all questions read, by the work that it knows for each signal. */
function countingEngine(engine: Engine): CountingEngine {
  const { byRowNumber } = engine
  const bySignal = new WeakMap<AbortSignal, Work>()
  let total: CountedWork = { statements: 0, files: 0, columns: 0 }

  function add(own: AbortSignal, signal: AbortSignal | undefined, columns: number): void {
    const work = engine.workFor?.(own)
    if (work === undefined) return
    total = { ...sum(total, work), columns: total.columns + columns }
    if (signal !== undefined) bySignal.set(signal, sum(bySignal.get(signal), work))
  }

  /** Asks with a signal of its own, since questions of one request may run at once. */
  async function ask<T>(
    signal: AbortSignal | undefined,
    columns: number,
    question: (own: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const own = ownSignal(signal)
    try {
      return await question(own)
    } finally {
      add(own, signal, columns)
    }
  }

  async function* stream<T>(
    signal: AbortSignal | undefined,
    columns: number,
    question: (own: AbortSignal) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const own = ownSignal(signal)
    try {
      yield* question(own)
    } finally {
      add(own, signal, columns)
    }
  }

  return {
    rows: (plan, at, signal) => ask(signal, columnsOf(plan), (own) => engine.rows(plan, at, own)),
    rowBatches: (plan, at, signal) =>
      stream(signal, columnsOf(plan), (own) => engine.rowBatches(plan, at, own)),
    count: (plan, at, signal) => ask(signal, 0, (own) => engine.count(plan, at, own)),
    sums: (plan, at, signal) => ask(signal, 0, (own) => engine.sums(plan, at, own)),
    byRowNumber: byRowNumber && {
      rows: (plan, at, signal) => ask(signal, columnsOf(plan), (own) => byRowNumber.rows(plan, at, own)),
      columns: (plan, at, signal) =>
        stream(signal, columnsOf(plan), (own) => byRowNumber.columns(plan, at, own)),
      count: (plan, at, signal) => ask(signal, 0, (own) => byRowNumber.count(plan, at, own)),
      copy: (plan, form, at, signal) =>
        ask(signal, columnsOf(plan), (own) => byRowNumber.copy(plan, form, at, own)),
    },
    workFor: (signal) => bySignal.get(signal),
    load: engine.load,
    ping: engine.ping,
    close: () => engine.close(),
    work: () => total,
  }
}

function ownSignal(signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? new AbortController().signal : AbortSignal.any([signal])
}

function columnsOf({ columns, where }: ListPlan): number {
  return new Set([...columns, ...where.map(({ column }) => column)]).size
}

function sum(before: Work | undefined, { statements, files }: Work): Work {
  return { statements: (before?.statements ?? 0) + statements, files: (before?.files ?? 0) + files }
}
