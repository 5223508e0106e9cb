import type { CountPlan } from '../../src/catalog/query/plan.ts'
import type { Row } from '../../src/catalog/resource.ts'
import type { Engine } from '../../src/engine/engine.ts'

type Rows = Promise<readonly Row[]>

/** An engine whose rows, found or by row number, come by way of `around`; `next` asks the engine for them. */
export function aroundRows(
  engine: Engine,
  around: (plan: CountPlan, signal: AbortSignal | undefined, next: () => Rows) => Rows,
): Engine {
  const { byRowNumber } = engine
  return {
    ...engine,
    rows: (plan, at, signal) => around(plan, signal, () => engine.rows(plan, at, signal)),
    byRowNumber: byRowNumber && {
      ...byRowNumber,
      rows: (plan, at, signal) => around(plan, signal, () => byRowNumber.rows(plan, at, signal)),
    },
  }
}
