import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { whereKeys } from '../../catalog/query/plan.ts'
import { groupedBy } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { ManifestIndex } from '../records/manifests.ts'
import type { SumParts } from '../totals/totals.ts'
import { type AddCells, addEngineCells } from './series-engine.ts'
import type { FactsOf, SeriesCell, SeriesFold } from './series-fold.ts'
import { type AddKeys, indexedCells } from './series-index.ts'
import { type GroupOf, logCells } from './series-log.ts'
import type { SeriesPlan } from './series-plan.ts'

export interface Reading {
  readonly manifests: ManifestIndex
  readonly add: AddCells
  /** Target rows, and the meaning of cells. */
  readonly fold: SeriesFold
  readonly factsOf: FactsOf
  /** Receives keys with rows. */
  readonly withRows: Set<string>
  readonly signal?: AbortSignal | undefined
}

/** Keys per slice of the event loop: some milliseconds for a year. */
const KEYS_AT_ONCE = 64

/** The cells of one series, from the log, the index by hotspot or the engine. */
export class SeriesCells {
  readonly #parts: SumParts
  readonly #plan: SeriesPlan
  readonly #at: Snapshot
  #addIndexed: AddKeys | undefined

  constructor(parts: SumParts, plan: SeriesPlan, at: Snapshot) {
    this.#parts = parts
    this.#plan = plan
    this.#at = at
  }

  /** Cells of all rewards from the log; undefined until offloaded bytes are built. */
  logged(groupOf: GroupOf = this.typeOf, isCounted?: GroupOf): readonly SeriesCell[] | undefined {
    const { resource, range } = this.#plan
    return range && logCells(this.#parts.offloaded, resource, range, this.#at, groupOf, isCounted)
  }

  /** Returns the cells once offloaded bytes are built. */
  async loggedLater(
    signal?: AbortSignal,
    groupOf?: GroupOf,
    isCounted?: GroupOf,
  ): Promise<readonly SeriesCell[]> {
    const cells = this.logged(groupOf, isCounted)
    if (cells !== undefined) return cells
    await this.#parts.offloaded.build(this.#at, { signal })
    return this.logged(groupOf, isCounted) ?? []
  }

  /** Adds the cells of rewards without a hotspot, in the group null. */
  async addUnkeyed({ add, signal }: Reading): Promise<void> {
    const { variants, keyed = '' } = this.#plan.resource
    const paysHotspots = (type: string) => Object.values(variants?.cases[type] ?? {}).includes(keyed)
    await add(
      await this.loggedLater(
        signal,
        () => null,
        ({ type }) => (paysHotspots(type) ? null : type),
      ),
    )
  }

  /** Adds the cells of hotspots, by the groups of the log or all in one. */
  async addKeys(keys: readonly string[], groupOf: GroupOf, reading: Reading): Promise<void> {
    const { resource, where } = this.#plan
    const { manifests, add, signal, withRows } = reading
    const addIndexed = this.#indexedCells(reading)
    let read = 0
    while (addIndexed !== undefined && read < keys.length) {
      const batch = keys.slice(read, read + KEYS_AT_ONCE)
      if (isSliceOver()) await nextSlice(signal)
      const seen = addIndexed(batch, groupOf)
      // The files have cells that the index lacks.
      if (seen === undefined) break
      for (const key of seen) withRows.add(key)
      read += batch.length
    }
    if (read >= keys.length) return
    const { prices } = manifests
    const plan = { resource, where: [...where, ...whereKeys(resource.keyed ?? '', keys.slice(read))], prices }
    const ofType = (type: string | null) => groupOf({ type: type ?? '' })
    await addEngineCells(this.#parts.engine, plan, groupedBy(resource).type, this.#at, ofType, add, signal)
  }

  #indexedCells({ manifests: { prices }, fold, factsOf }: Reading): AddKeys | undefined {
    const { table, range, isIndexed } = this.#plan
    if (!isIndexed || range === undefined) return undefined
    this.#addIndexed ??= indexedCells(this.#parts.index, { table, range, prices }, fold, factsOf)
    return this.#addIndexed
  }

  /** Adds the cells of some hotspots or all, grouped by a column in the engine. */
  async addByColumn(
    keys: readonly string[] | undefined,
    { manifests: { prices }, add, signal }: Reading,
    groupOf = (value: string | null) => value,
  ): Promise<void> {
    const { resource, where, column } = this.#plan
    const divided = column === 'source_file' ? undefined : column
    const plan = { resource, where: [...where, ...whereKeys(resource.keyed ?? '', keys)], prices }
    await addEngineCells(this.#parts.engine, plan, divided, this.#at, groupOf, add, signal)
  }

  /** The group of a cell in the log. */
  readonly typeOf: GroupOf = ({ type }) =>
    this.#plan.column === groupedBy(this.#plan.resource).type ? type : null
}
