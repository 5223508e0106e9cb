import { groupedBy } from '../catalog/resource.ts'
import type { HotspotSums } from '../hotspot-sums/hotspot-sums.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Answerers } from './choose.ts'
import type { ManifestIndex, ReadManifests } from './manifests.ts'
import type { OffloadedBytes } from './offloaded-bytes.ts'
import { engineCells, whereKeys } from './series-engine.ts'
import type { Cell } from './series-fold.ts'
import { indexCells } from './series-index.ts'
import { type GroupOf, logCells } from './series-log.ts'
import type { SeriesPlan } from './series-plan.ts'

/** Who has the cells of series. */
export interface SeriesParts extends Answerers {
  readonly offloaded: OffloadedBytes
  readonly hotspotSums: HotspotSums
  readonly manifests: ReadManifests
}

/** The cells of one series, from the log, the hotspot index or the engine. */
export class SeriesCells {
  readonly #parts: SeriesParts
  readonly #plan: SeriesPlan
  readonly #at: Snapshot

  constructor(parts: SeriesParts, plan: SeriesPlan, at: Snapshot) {
    this.#parts = parts
    this.#plan = plan
    this.#at = at
  }

  /** Those of all rewards, from the log; undefined until the bytes that amounts stand for are built. */
  logged(groupOf: GroupOf = this.typeOf, isCounted?: GroupOf): readonly Cell[] | undefined {
    const { resource, range } = this.#plan
    return range && logCells(this.#parts.offloaded, resource, range, this.#at, groupOf, isCounted)
  }

  /** The same after those bytes are built. */
  async loggedLater(signal?: AbortSignal, groupOf?: GroupOf, isCounted?: GroupOf): Promise<readonly Cell[]> {
    const known = this.logged(groupOf, isCounted)
    if (known !== undefined) return known
    await this.#parts.offloaded.build(this.#at, { signal })
    return this.logged(groupOf, isCounted) ?? []
  }

  /** Those of rewards that are not of a hotspot, in the group null. */
  async unkeyed(signal?: AbortSignal): Promise<readonly Cell[]> {
    const { variants, keyed = '' } = this.#plan.resource
    const paysHotspots = (type: string) => Object.values(variants?.cases[type] ?? {}).includes(keyed)
    return await this.loggedLater(
      signal,
      () => null,
      ({ type }) => (paysHotspots(type) ? null : type),
    )
  }

  /** Those of some hotspots, in the groups that the log knows, or all in one. */
  async ofKeys(
    keys: readonly string[],
    groupOf: GroupOf,
    { prices }: ManifestIndex,
    signal?: AbortSignal,
  ): Promise<readonly Cell[]> {
    const { resource, where, table, range, isIndexed } = this.#plan
    if (keys.length === 0) return []
    const { engine, index } = this.#parts
    const found =
      isIndexed && range !== undefined
        ? await indexCells(index, { table, range, prices }, keys, groupOf, signal)
        : undefined
    if (found !== undefined) return found
    const plan = { resource, where: [...where, ...whereKeys(resource, keys)], prices }
    const cells = await engineCells(engine, plan, groupedBy(resource).type, this.#at, signal)
    return cells.map((cell) => ({ ...cell, group: groupOf({ type: cell.group ?? '' }) }))
  }

  /** Those of some hotspots or all, by the value of a column that the engine divides by. */
  async byColumn(
    keys: readonly string[] | undefined,
    { prices }: ManifestIndex,
    signal?: AbortSignal,
  ): Promise<readonly Cell[]> {
    const { resource, where, column } = this.#plan
    const divided = column === 'source_file' ? undefined : column
    const plan = { resource, where: [...where, ...whereKeys(resource, keys)], prices }
    return await engineCells(this.#parts.engine, plan, divided, this.#at, signal)
  }

  /** The group of a cell that the log divides. */
  readonly typeOf: GroupOf = ({ type }) =>
    this.#plan.column === groupedBy(this.#plan.resource).type ? type : null
}
