import { DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api'
import type { CountPlan } from '../../src/catalog/query/plan.ts'
import { toCountPlan, toRowsPlan, toSumsPlan } from '../../src/catalog/query/to-plan.ts'
import { duckdbDialect } from '../../src/engine/duckdb/duckdb-dialect.ts'
import { boundValues } from '../../src/engine/duckdb/duckdb-values.ts'
import { filesOf } from '../../src/engine/prune.ts'
import { compileCount, compileRows, type Statement } from '../../src/engine/sql/compile.ts'
import { compileSums } from '../../src/engine/sql/compile-sums.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import type { Settings } from '../../src/services/settings/settings.ts'
import type { Question } from '../peers/questions.ts'

/** One connection to a DuckDB of its own, with the settings of the service and nothing around it. */
export interface RawDuckdb {
  /** Runs a statement to its end; a text seen before is not prepared again. */
  run(statement: Statement): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): void
}

export async function openRawDuckdb(settings: Settings): Promise<RawDuckdb> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(settings.engine_threads),
    memory_limit: `${settings.engine_memory_mb}MB`,
  })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  const prepared = new Map<string, DuckDBPreparedStatement>()
  return {
    async run({ text, values }) {
      const statement = prepared.get(text) ?? (await connection.prepare(text))
      prepared.set(text, statement)
      const bound = boundValues(values)
      statement.bind(bound.values, bound.types)
      return (await statement.runAndReadAll()).getRowObjectsJS()
    },
    close() {
      for (const statement of prepared.values()) statement.destroySync()
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** The question as anyone would put it in SQL over the files of its months: no help from the log. */
export function plainStatements(
  { resource, verb, query }: Question,
  at: Snapshot,
  prices: ReadonlyMap<string, bigint>,
): readonly Statement[] {
  const plan = verb === 'totals' ? toSumsPlan(resource, query.filters, prices) : undefined
  if (plan !== undefined) return [compileSums(plan, pathsOf(plan, at), duckdbDialect)]
  const [counted, rows] = [toCountPlan(resource, query.filters), toRowsPlan(resource, query.filters, query)]
  const files = pathsOf(counted, at)
  return [compileCount(counted, files, duckdbDialect), compileRows(rows, files, duckdbDialect)]
}

function pathsOf(plan: CountPlan, at: Snapshot): readonly string[] {
  return filesOf(plan, at).map((file) => file.path)
}
