import type { CountPlan } from '../../src/catalog/query/plan.ts'
import type { Row } from '../../src/catalog/resource.ts'
import type { Engine } from '../../src/engine/engine.ts'

type Rows = Promise<readonly Row[]>

/** An engine whose rows, found or placed, come by way of `around`; `next` asks the engine for them. */
export function aroundRows(
  engine: Engine,
  around: (plan: CountPlan, signal: AbortSignal | undefined, next: () => Rows) => Rows,
): Engine {
  const { placed } = engine
  return {
    ...engine,
    rows: (plan, at, signal) => around(plan, signal, () => engine.rows(plan, at, signal)),
    placed: placed && {
      ...placed,
      rows: (plan, at, signal) => around(plan, signal, () => placed.rows(plan, at, signal)),
    },
  }
}
