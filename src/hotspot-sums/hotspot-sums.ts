import { DamagedFile } from '../index/container.ts'
import type { KeyAmountsReader } from '../lake/key-amounts-reader.ts'
import type { OpenWriter } from '../lake/open-writer.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import { compareBytes } from '../lake/source.ts'
import { type Derived, WORTHWHILE_ROWS } from '../maintenance/derived.ts'
import type { GroupRange } from '../query/group-range.ts'
import { runInSlices, type Steps } from '../slices.ts'
import { buildHotspotSums } from './build-sums.ts'
import { chooseColumns, type TokenOf } from './choose-columns.ts'
import { type Gathered, gatherMonths } from './gather.ts'
import { LoadedMonths } from './loaded-months.ts'
import { sumFiles } from './sum-files.ts'

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
/** Keys are read so many at a time before other requests have their turn. */
const KEYS_AT_ONCE = 1024

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
        return await runInSlices(earnedSteps(gathered, limit), signal)
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

function* earnedSteps({ tokens, keysOf }: Gathered, limit: number | undefined): Steps<readonly Earned[]> {
  const all: Earned[] = []
  for (const [token, sums] of tokens) {
    const places = sums.greatest(limit)
    yield
    const ofToken: Earned[] = []
    for (let first = 0; first < places.length; first += KEYS_AT_ONCE) {
      const some = places.slice(first, first + KEYS_AT_ONCE)
      const keys = keysOf(some)
      for (const [at, place] of some.entries())
        ofToken.push({ token, key: keys[at] ?? '', earned: sums.sumOf(place) ?? 0n })
      yield
    }
    const sorted = limit === undefined ? ofToken : ofToken.sort(byEarned).slice(0, limit)
    for (const one of sorted) all.push(one)
  }
  return all
}

/** The greatest first, of equal ones the first by the bytes of their keys. */
function byEarned(a: Earned, b: Earned): number {
  return a.earned === b.earned ? compareBytes(a.key, b.key) : a.earned > b.earned ? -1 : 1
}
