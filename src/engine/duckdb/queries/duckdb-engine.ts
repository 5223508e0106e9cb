import { type DuckDBMaterializedResult, version } from '@duckdb/node-api'
import { isSliceOver, nextSlice } from '../../../base/slices.ts'
import type { CountPlan, RangeCountPlan, SumsPlan } from '../../../catalog/query/plan.ts'
import { PlainFiles } from '../../../lake/disk/plain-files.ts'
import type { DataFile } from '../../../lake/facts/data-file.ts'
import type { CheckedFiles } from '../../../lake/integrity/checked-files.ts'
import type { NameOf } from '../../../lake/integrity/file-verdicts.ts'
import { uncheckedFiles } from '../../../lake/integrity/unchecked-files.ts'
import type { DigestedFile } from '../../../lake/integrity/verdict.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { Engine, EngineLoad, RowNumberReads, SumGroup, Work } from '../../engine.ts'
import { filesOf } from '../../prune.ts'
import { type Compile, compileCount, compileList, compileRows } from '../../sql/compile.ts'
import { compileSums, groupColumnsOf, sumsOfNothing } from '../../sql/compile-sums.ts'
import type { LacksOf } from '../../sql/scan.ts'
import { duckdbDialect } from '../duckdb-dialect.ts'
import { toRow, toRows } from '../duckdb-values.ts'
import { mayBeDamage } from '../failures.ts'
import { type DuckdbOptions, openTwo } from '../instances/open-instance.ts'
import type { Selected, StreamedChunk } from '../rows-of-result.ts'
import { filesNamed, renameFiles } from './files-of-statement.ts'
import { type RunRanges, rowNumberReads } from './row-number-reads.ts'

const FEW_ROWS = 100_000
/** DuckDB keeps half a megabyte per file, and after this many snapshots most are outdated. */
const RENEW_EVERY = 8

/** Groups per slice of the event loop. */
const GROUPS_AT_ONCE = 512

/** Opens the default engine: an embedded DuckDB confined to the lake, and to its `checked` files. */
export async function openDuckdbEngine(
  options: DuckdbOptions,
  checked: CheckedFiles = uncheckedFiles,
): Promise<Engine & { readonly byRowNumber: RowNumberReads }> {
  const [scans, lookups] = await openTwo(options)
  const work = new WorkBySignal()
  let snapshots = 0
  const plain = options.lake === undefined ? undefined : new PlainFiles(options.lake)

  /** Reads files once they are known to be regular and undamaged. */
  async function readChecked<T>(
    named: readonly string[],
    files: readonly DigestedFile[],
    run: (nameOf: NameOf) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const looking = plain?.check(named)
    if (looking !== undefined) await looking
    const result = await checked.read(files, run, signal, mayBeDamage)
    work.add(named.length, signal)
    return result
  }

  /** Runs a plan over the files that can match; without such files nothing runs. */
  async function runPlan<P extends CountPlan>(
    compile: Compile<P>,
    plan: P,
    at: Snapshot,
    signal?: AbortSignal,
  ) {
    const files = filesOf(plan, at)
    if (files.length === 0) return []
    const statement = compile(plan, paths(files), duckdbDialect, lacksOf(plan, at))
    const run = (nameOf: NameOf) => scans.run(renameFiles(statement, nameOf), signal)
    return await readChecked(paths(files), files, run, signal)
  }

  /** Small reads use the single-threaded instance: starting threads takes longer than the read. */
  const askRanges: RunRanges<Promise<DuckDBMaterializedResult>> = async (statement, plan, at, signal) => {
    const requestedRows = plan.ranges.reduce((sum, { first, end }) => sum + end - first, 0)
    const pool = requestedRows <= FEW_ROWS ? lookups : scans
    const run = (nameOf: NameOf) => pool.result(renameFiles(statement, nameOf), signal)
    return await readChecked(namedIn(plan), digestsOf(plan, at), run, signal)
  }

  /** One thread serves as many rows as the consumer takes. */
  const streamRanges: RunRanges<AsyncIterable<StreamedChunk>> = async function* (
    statement,
    plan,
    at,
    signal,
  ) {
    const named = namedIn(plan)
    await plain?.check(named)
    work.add(named.length, signal)
    const run = (nameOf: NameOf) => lookups.chunks(renameFiles(statement, nameOf), signal)
    yield* checked.stream(digestsOf(plan, at), run, signal, mayBeDamage)
  }

  const digestsOf = (plan: RangeCountPlan, at: Snapshot) =>
    checked === uncheckedFiles ? [] : filesNamed(namedIn(plan), at.table(plan.resource))

  return {
    async rows(plan, at, signal) {
      return plan.limit === 0 ? [] : toRows(plan.resource, await runPlan(compileRows, plan, at, signal))
    },

    async *rowBatches(plan, at, signal) {
      signal?.throwIfAborted()
      const files = filesOf(plan, at)
      if (files.length === 0) return
      await plain?.check(paths(files))
      const statement = compileList(plan, paths(files), duckdbDialect, lacksOf(plan, at))
      work.add(files.length, signal)
      const run = (nameOf: NameOf) => scans.stream(renameFiles(statement, nameOf), signal)
      for await (const batch of checked.stream(files, run, signal, mayBeDamage))
        yield toRows(plan.resource, batch)
    },

    async count(plan, at, signal) {
      const [row] = await runPlan(compileCount, plan, at, signal)
      return Number(row?.count ?? 0)
    },

    async sums(plan, at, signal) {
      const groups = await runPlan(compileSums, plan, at, signal)
      if (groups.length === 0) return sumsOfNothing(plan)
      const sums: SumGroup[] = []
      for (const row of groups) {
        if (sums.length % GROUPS_AT_ONCE === GROUPS_AT_ONCE - 1 && isSliceOver()) await nextSlice(signal)
        sums.push(toSumGroup(plan, row))
      }
      return sums
    },

    byRowNumber: rowNumberReads(askRanges, streamRanges, lacksOf, options.spillFolder),
    workFor: (signal) => work.of(signal),

    load(): EngineLoad {
      const [scanLoad, lookupLoad] = [scans.load(), lookups.load()]
      const sum = (name: keyof typeof scanLoad) => scanLoad[name] + lookupLoad[name]
      const [running, waiting] = [sum('running'), sum('waiting')]
      return {
        ...{ name: `duckdb ${version()}`, files: work.files, running, waiting },
        ...{ statements: sum('statements'), rows: sum('rows') },
      }
    },

    async ping() {
      await Promise.all([scans.ping(), lookups.ping()])
    },

    retain(live) {
      plain?.retain(live)
      snapshots += 1
      if (snapshots % RENEW_EVERY === 0) for (const pool of [scans, lookups]) void pool.renew()
    },

    isOpening: () => scans.isOpening() || lookups.isOpening(),

    async close(): Promise<void> {
      await Promise.all([scans.close(), lookups.close()])
    },
  }
}

/** Work per signal. */
class WorkBySignal {
  readonly #work = new WeakMap<AbortSignal, Work>()
  #files = 0

  /** Total over all signals. */
  get files(): number {
    return this.#files
  }

  add(files: number, signal: AbortSignal | undefined): void {
    this.#files += files
    if (signal === undefined) return
    const before = this.#work.get(signal) ?? { statements: 0, files: 0 }
    this.#work.set(signal, { statements: before.statements + 1, files: before.files + files })
  }

  of(signal: AbortSignal): Work | undefined {
    return this.#work.get(signal)
  }
}

const namedIn = ({ ranges }: RangeCountPlan) => [...new Set(ranges.map(({ file }) => file))]

const paths = (files: readonly DataFile[]) => files.map((file) => file.path)

function lacksOf({ resource }: CountPlan, at: Snapshot): LacksOf {
  const table = at.table(resource)
  return (file) => table.lacksOf(file)
}

function toSumGroup(plan: SumsPlan, row: Selected): SumGroup {
  const picked = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  return {
    group: toRow(plan.resource, picked(groupColumnsOf(plan))),
    sums: picked(Object.keys(plan.sums)) as Record<string, bigint>,
  }
}
