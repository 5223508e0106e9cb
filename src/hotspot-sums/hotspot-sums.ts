import type { KeyAmountsReader } from '../lake/key-amounts-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { compareBytes } from '../lake/source.ts'
import { type Derived, WORTHWHILE_ROWS } from '../maintenance/derived.ts'
import { DamagedFile } from '../maintenance/parts.ts'
import type { GroupRange } from '../query/group-range.ts'
import { buildHotspotSums } from './build-sums.ts'
import { chooseColumns, type TokenOf } from './choose-columns.ts'
import { type Gathered, gatherMonths } from './gather.ts'
import { LoadedMonths } from './loaded-months.ts'
import { sumFiles } from './sum-files.ts'
import type { Sums } from './sums.ts'

/** What a hotspot earned in a token. */
export interface Earned {
  readonly token: string | null
  readonly key: string
  readonly earned: bigint
}

export interface HotspotSums extends Derived {
  /**
   * The `limit` hotspots that earned most in each token over a range, of equal ones the first by the bytes of their keys; all of them without
   * a limit, in no order. Undefined when files of the range are missing or differ from the table: then the data files have to be read.
   */
  earned(
    table: TableSnapshot,
    range: GroupRange,
    tokenOf: TokenOf,
    limit: number | undefined,
    signal?: AbortSignal,
  ): Promise<readonly Earned[] | undefined>
  /** Whether the files have all rows of a range. */
  knows(table: TableSnapshot, range: GroupRange): boolean
  close(): void
}

/** `stateFolder` may be missing: then there are no sums. Tables of fewer than `worthwhileRows` get none. */
export function openHotspotSums(
  stateFolder: string,
  openWriter: OpenWriter<KeyAmountsReader>,
  worthwhileRows = WORTHWHILE_ROWS,
): HotspotSums {
  const loaded = new LoadedMonths(stateFolder)
  const earning = ({ tables }: Snapshot) => tables.filter(({ resource }) => resource.earned !== undefined)
  const summed = (at: Snapshot) => earning(at).filter(({ rows }) => rows >= worthwhileRows)
  const lackingOf = (at: Snapshot) => summed(at).filter((table) => !loaded.isComplete(table))

  async function load(at: Snapshot): Promise<readonly TableSnapshot[]> {
    for (const table of summed(at)) await loaded.load(table)
    return lackingOf(at)
  }

  return {
    name: 'hotspot sums',
    speedsUp: 'the greatest hotspots, owners and makers',
    async earned(table, range, tokenOf, limit, signal) {
      const reads = chooseColumns(loaded.of(table), range, tokenOf)
      if (reads === undefined) return undefined
      try {
        const gathered = await gatherMonths(reads, signal)
        if (gathered === undefined) return []
        return [...gathered.tokens].flatMap(([token, sums]) => greatest(gathered, token, sums, limit))
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error
        for (const { file } of reads) if (file.path === error.path) loaded.forget(file)
        return undefined
      }
    },
    knows: (table, range) => chooseColumns(loaded.of(table), range, () => null) !== undefined,
    load,
    lacks: (at) => lackingOf(at).length > 0,
    build: async (at, options) =>
      await buildHotspotSums(await load(at), { ...options, stateFolder, openWriter }),
    async forget(table) {
      for (const file of loaded.ofTable(table)) loaded.forget(file)
    },
    files: (at) => sumFiles(stateFolder, earning(at)),
    close: () => loaded.close(),
  }
}

function greatest(
  { keysOf }: Gathered,
  token: string | null,
  sums: Sums,
  limit: number | undefined,
): readonly Earned[] {
  const places = sums.greatest(limit)
  let found = places.map((place) => ({ place, earned: sums.sumOf(place) ?? 0n }))
  if (limit !== undefined) {
    found.sort((a, b) => (a.earned === b.earned ? 0 : a.earned > b.earned ? -1 : 1))
    const least = found[limit - 1]?.earned ?? 0n
    found = found.filter(({ earned }) => earned >= least)
  }
  const keys = keysOf(found.map(({ place }) => place))
  const named = found.map(({ earned }, index) => ({ token, key: keys[index] ?? '', earned }))
  if (limit === undefined) return named
  return named
    .sort((a, b) => (a.earned === b.earned ? compareBytes(a.key, b.key) : a.earned > b.earned ? -1 : 1))
    .slice(0, limit)
}
