import { ServiceError } from '../../base/errors.ts'
import { Slots } from '../../base/slots.ts'
import type { CountPlan, SumsPlan } from '../../catalog/query/plan.ts'
import type { Row } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type Engine, type EngineLoad, MOST_BATCH_ROWS, type SumGroup } from '../engine.ts'
import { filesOf } from '../prune.ts'
import { type Compile, compileCount, compileList, compileRows } from '../sql/compile.ts'
import { compileSums, groupColumnsOf, sumsOfNothing } from '../sql/compile-sums.ts'
import { withValues } from './literals.ts'
import { withinGroups, withSources } from './narrow-plan.ts'
import { tableChecker } from './same-tables.ts'
import { type ResultPage, TrinoConnection, type TrinoOptions } from './trino-client.ts'
import { trinoDialect } from './trino-dialect.ts'
import { kindIn, readValue, rowsOfPage } from './trino-values.ts'

export interface TrinoEngineOptions extends TrinoOptions {
  /** Concurrent statements, except whole lists. */
  readonly statements: number
  /** Time limit of a response, and of a whole list. */
  readonly longestMs: number
  readonly longestListMs: number
  /** Called now and then with the cluster's reason for failures. */
  readonly report?: ((sentence: string) => void) | undefined
}

/** A response proves for this long that the cluster answers. */
const FRESH_MS = 10_000
/** A busy cluster answers a statement without a table sooner. */
const LONGEST_PING_MS = 4000
const TELL_AGAIN_MS = 60_000

/** Opens an engine over a Trino cluster. Sends nothing, so the cluster may start later. */
export function openTrinoEngine(options: TrinoEngineOptions): Engine {
  const connection = new TrinoConnection(options)
  const slots = new Slots(options.statements)
  const checkTable = tableChecker(options, readAll)
  const counters = { statements: 0, files: 0, rows: 0, lists: 0 }
  const running = new Set<AbortController>()
  const reportFailure = failureReporter(options.report)
  let answeredAt = Number.NEGATIVE_INFINITY

  /** Streams the rows of a statement. */
  async function* pages(sql: string, longestMs: number, signal?: AbortSignal): AsyncGenerator<ResultPage> {
    const controller = new AbortController()
    const stop = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    running.add(controller)
    counters.statements += 1
    try {
      signal?.throwIfAborted()
      for await (const page of connection.pages(sql, longestMs, controller.signal)) {
        answeredAt = performance.now()
        counters.rows += page.rows.length
        yield page
      }
      answeredAt = performance.now()
    } catch (error) {
      reportFailure(error)
      throw error
    } finally {
      running.delete(controller)
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Reads a whole result in a slot. */
  function readAll(sql: string, signal?: AbortSignal): Promise<readonly ResultPage[]> {
    const read = async () => {
      const result: ResultPage[] = []
      for await (const page of pages(sql, options.longestMs, signal)) result.push(page)
      return result
    }
    return slots.run(read, signal)
  }

  /** Compiles a plan after a check of the table; undefined if no file can match. */
  async function statementOf<P extends CountPlan>(
    compile: Compile<P>,
    plan: P | undefined,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    signal?.throwIfAborted()
    const files = plan === undefined ? 0 : filesOf(plan, at).length
    if (plan === undefined || files === 0) return undefined
    const table = at.table(plan.resource)
    await checkTable(table, signal)
    counters.files += files
    return withValues(compile(plan, [], trinoDialect(options, plan.resource, table.version)))
  }

  async function runPlan<P extends CountPlan>(
    compile: Compile<P>,
    plan: P | undefined,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<readonly ResultPage[]> {
    const sql = await statementOf(compile, plan, at, signal)
    return sql === undefined ? [] : await readAll(sql, signal)
  }

  return {
    async rows(plan, at, signal) {
      signal?.throwIfAborted()
      if (plan.limit === 0) return []
      const narrowed = withinGroups(plan, at)
      const narrowedPlan = narrowed === plan ? withSources(plan, at) : narrowed
      const result = await runPlan(compileRows, narrowedPlan, at, signal)
      return result.flatMap((page) => rowsOfPage(page, kindIn(plan.resource)))
    },

    async *rowBatches(plan, at, signal) {
      const sql = await statementOf(compileList, withSources(plan, at), at, signal)
      if (sql === undefined) return
      counters.lists += 1
      try {
        const rows: Row[] = []
        for await (const page of pages(sql, options.longestListMs, signal)) {
          rows.push(...rowsOfPage(page, kindIn(plan.resource)))
          while (rows.length >= MOST_BATCH_ROWS) {
            yield rows.splice(0, MOST_BATCH_ROWS)
            signal?.throwIfAborted()
          }
        }
        if (rows.length > 0) yield rows
        signal?.throwIfAborted()
      } finally {
        counters.lists -= 1
      }
    },

    async count(plan, at, signal) {
      const [page] = await runPlan(compileCount, withSources(plan, at), at, signal)
      return Number(page?.rows[0]?.[0] ?? 0)
    },

    async sums(plan, at, signal) {
      const narrowed = withSources(plan, at)
      const isNothing = plan.steps?.starts.length === 0
      const result = isNothing
        ? []
        : await runPlan(compileSums, narrowed && withoutUnusedPrices(narrowed), at, signal)
      const groups = result.flatMap((page) => groupsOf(plan, page))
      return groups.length === 0 ? sumsOfNothing(plan) : groups
    },

    load(): EngineLoad {
      const { statements, files, rows } = counters
      const { waiting } = slots
      return { name: 'trino', statements, files, rows, running: slots.running + counters.lists, waiting }
    },

    async ping() {
      if (performance.now() - answeredAt <= FRESH_MS) return
      // A full queue does not mean that the cluster is down.
      const answer = pages('SELECT 1', LONGEST_PING_MS)
      while ((await answer.next()).done !== true);
    },

    async close() {
      for (const controller of running) controller.abort(new Error('the engine is closed'))
    },
  }
}

/** Reports each reason for failures once a minute; clients only see that they fail. */
function failureReporter(report: TrinoEngineOptions['report']): (error: unknown) => void {
  const toldAt = new Map<string, number>()
  return (error) => {
    if (report === undefined || !(error instanceof ServiceError) || !(error.cause instanceof Error)) return
    const words = error.cause.message
    const [name = ''] = words.split(':')
    const now = performance.now()
    if (now - (toldAt.get(name) ?? Number.NEGATIVE_INFINITY) < TELL_AGAIN_MS) return
    toldAt.set(name, now)
    report(`Trino does not answer (${error.code}): ${words}`)
  }
}

/** Drops prices of sources outside the plan, since each is part of the statement text. */
function withoutUnusedPrices(plan: SumsPlan): SumsPlan {
  const named = plan.where.findLast(({ column, match }) => column === 'source_file' && match === 'anyOf')
  if (named === undefined) return plan
  const names = new Set(named.value as readonly string[])
  return { ...plan, prices: new Map([...plan.prices].filter(([name]) => names.has(name))) }
}

function groupsOf(plan: SumsPlan, { columns, rows }: ResultPage): readonly SumGroup[] {
  const grouped = groupColumnsOf(plan)
  const kindOf = kindIn(plan.resource)
  return rows.map((row) => {
    // Groups come first; a sum may share the name of its column.
    const group = grouped.map((name, index) => [name, readValue(kindOf(name), row[index] ?? null, name)])
    const sums = columns
      .slice(grouped.length)
      .map((name, index) => [name, readValue('amount', row[grouped.length + index] ?? null, name)])
    return { group: Object.fromEntries(group), sums: Object.fromEntries(sums) }
  })
}
