import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { type ListPlan, whereKeys } from '../../catalog/query/plan.ts'
import type { Row } from '../../catalog/resource.ts'
import { filesOf } from '../../engine/prune.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type AccessPaths, choose } from './choose.ts'
import type { ListBatch } from './group-rows.ts'
import { batchOf, searchedBatches } from './whole-list.ts'

/** The rows of a list with one key, in list order. */
export interface ListOfKey {
  readonly key: string
  readonly batches: readonly ListBatch[]
}

/** A list that is read for each of some keys. */
export interface KeysPlan extends ListPlan {
  /** Column with the keys. */
  readonly of: string
}

/** The engine collects at most so many rows before they are divided by key, unless a single key has more. */
const MOST_COLLECTED = 131_072

/**
 * Yields the list of each key in turn. An index reads the blocks of a key; without one, few statements read all keys.
 * Errors: the reason of the signal.
 */
export async function* listsOfKeys(
  parts: AccessPaths,
  plan: KeysPlan,
  keys: readonly string[],
  at: Snapshot,
  signal?: AbortSignal,
): AsyncGenerator<ListOfKey> {
  const canMatch = filesOf(plan, at).length > 0
  for (const [index, key] of keys.entries()) {
    if (!canMatch) {
      yield { key, batches: [] }
      continue
    }
    if (isSliceOver()) await nextSlice(signal)
    const batches = await indexedBatches(parts, ofKeys(plan, [key]), at, signal)
    if (batches === undefined) {
      yield* collected(parts, plan, keys.slice(index), at, signal)
      return
    }
    yield { key, batches }
  }
}

function ofKeys({ of, ...plan }: KeysPlan, keys: readonly string[]): ListPlan {
  return { ...plan, where: [...plan.where, ...whereKeys(of, keys)] }
}

/** Returns undefined if no index has the rows. */
async function indexedBatches(
  parts: AccessPaths,
  plan: ListPlan,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly ListBatch[] | undefined> {
  const { columns, resource } = plan
  const choice = choose('page', plan, at, parts)
  if ('key' in choice) {
    const rows = parts.index.rows(at.table(resource), choice.key, choice.range)
    return rows && [{ ...rows.columns(0, rows.total, columns), shared: {} }]
  }
  return 'search' in choice ? await searchedBatches(parts.blocks, choice, plan, signal) : undefined
}

/** Reads the rows of all keys by the engine, or those of each half if there are too many. */
async function* collected(
  parts: AccessPaths,
  plan: KeysPlan,
  keys: readonly string[],
  at: Snapshot,
  signal?: AbortSignal,
): AsyncGenerator<ListOfKey> {
  const { engine } = parts
  const { of: column } = plan
  const ofAll = ofKeys(plan, keys)
  if (keys.length > 1 && (await engine.count(ofAll, at, signal)) > MOST_COLLECTED) {
    const half = keys.length >> 1
    yield* collected(parts, plan, keys.slice(0, half), at, signal)
    yield* collected(parts, plan, keys.slice(half), at, signal)
    return
  }
  const rowsByKey = new Map(keys.map((key): [string, Row[]] => [key, []]))
  const withKey = { ...ofAll, columns: [...new Set([...plan.columns, column])] }
  for await (const rows of engine.rowBatches(withKey, at, signal))
    for (const row of rows) rowsByKey.get(String(row[column]))?.push(row)
  for (const [key, rows] of rowsByKey) yield { key, batches: [batchOf(rows, plan.columns)] }
}
