import { runInSlices } from '../../base/slices.ts'
import { plainName } from '../../base/values/plain-name.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import {
  type Hit,
  type Hits,
  MOST_HITS,
  MOST_OF_KIND,
  type SearchedTable,
} from '../../catalog/records/search-hit.ts'
import { namesOf, type Resource, type Row } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RowBlocks } from '../../index/row-blocks.ts'
import { compareBytes } from '../../lake/facts/source.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Estimate } from '../records/estimate.ts'
import { type Once, onceFor } from '../records/once.ts'
import {
  columnsOfHit,
  type HitsRequest,
  hitMaker,
  isInMemory,
  type RankedHit,
  rangesOf,
} from './hit-of-row.ts'
import { isSortedBy, planOfRange, searchByText, type TextRange } from './rows-by-text.ts'
import { mayBeWords, openSimilarNames } from './similar-names.ts'

/** Finds texts by equality or prefix, and names of hotspots by their words. */
export interface FindHits {
  find(request: HitsRequest, at: Snapshot, signal?: AbortSignal): Promise<Hits>
  /** Estimates the work of a search. Reads nothing. */
  estimate(request: HitsRequest, at: Snapshot): Estimate
}

/** One hit more than shown signals further hits. */
const NEEDED = MOST_OF_KIND + 1
/** One value may have many rows. */
const ROWS_OF_VALUES = 256
/** A text followed by this is the next greater text, since stored texts have no NUL. */
const NEXT = '\u0001'

export function openHits(engine: Engine, blocks: RowBlocks): FindHits {
  const rowsByResource = new Map<Resource, Once<readonly Row[]>>()
  const similar = openSimilarNames(engine)

  async function read(range: TextRange, limit: number, at: Snapshot, signal?: AbortSignal) {
    const search = blocks.attempt(() => searchByText(blocks, at.table(range.resource), range))
    const rows =
      search && (await blocks.attemptLater(() => runInSlices(search.first(limit, range.columns), signal)))
    return rows ?? (await engine.rows({ ...planOfRange(range), limit, offset: 0 }, at, signal))
  }

  /** Returns the first distinct hits of a range, reading past values with many rows. */
  async function hitsInRange(
    range: TextRange,
    limit: number,
    toHit: (row: Row) => RankedHit,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<readonly RankedHit[]> {
    const hits = new Map<string, RankedHit>()
    let from: string | undefined = range.from
    while (from !== undefined) {
      const rows = await read({ ...range, from }, limit, at, signal)
      keepFirst(hits, rows.map(toHit))
      const last = rows.at(-1)
      const isEnough = last === undefined || rows.length < limit || hits.size >= NEEDED
      from = isEnough ? undefined : `${last[range.column]}${NEXT}`
    }
    return [...hits.values()]
  }

  /** Hits in a table in memory. */
  async function hitsInMemory(kind: SearchedTable, q: string, at: Snapshot, signal?: AbortSignal) {
    const { resource, face } = kind
    const readRows = rowsByResource.get(resource) ?? onceFor(engine, resource, (rows): readonly Row[] => rows)
    rowsByResource.set(resource, readRows)
    const rows = await readRows(at, signal)
    return namesOf(face.by).flatMap((column) => {
      const plain = face.by[column] === 'title' ? plainName : (text: string) => text
      const isMeant = (row: Row) => plain(String(row[column])).startsWith(plain(q))
      return rows.filter(isMeant).map(hitMaker(kind, q, column, at))
    })
  }

  async function hitsOfKind(kind: SearchedTable, request: HitsRequest, at: Snapshot, signal?: AbortSignal) {
    const limit = kind.face.listedBy === undefined ? NEEDED : ROWS_OF_VALUES
    const looks = isInMemory(kind)
      ? [hitsInMemory(kind, request.q, at, signal)]
      : rangesOf(kind, request).map((range) =>
          hitsInRange(range, limit, hitMaker(kind, request.q, range.column, at), at, signal),
        )
    const hits = new Map<string, RankedHit>()
    // A hit by several columns shows its exact match, or else the first column.
    keepFirst(hits, (await Promise.all(looks)).flat().sort(exactFirst))
    return [...hits.values()].sort(byText)
  }

  /** Adds hotspots whose names have the typed words, if few names begin with the text. */
  async function withSimilar(
    hits: readonly RankedHit[],
    kind: SearchedTable,
    q: string,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<readonly RankedHit[]> {
    const isNamed = kind.resource === hotspots && kind.face.by.name === 'name'
    if (!isNamed || hits.length >= NEEDED || !mayBeWords(q)) return hits
    const rows = await similar(q, columnsOfHit(kind), NEEDED, at, signal)
    const hitsByIdentity = new Map(hits.map((hit) => [hit.identity, hit]))
    keepFirst(hitsByIdentity, rows.map(hitMaker(kind, q, 'name', at)))
    return [...hitsByIdentity.values()].sort(byText)
  }

  return {
    async find(request, at, signal) {
      const { among, q } = request
      const exactOrPrefixed = await Promise.all(among.map((kind) => hitsOfKind(kind, request, at, signal)))
      const hasExact = exactOrPrefixed.flat().some(({ isExact }) => isExact)
      const hitsByKind = await Promise.all(
        exactOrPrefixed.map((hits, index) => {
          const kind = among[index]
          return hasExact || kind === undefined ? hits : withSimilar(hits, kind, q, at, signal)
        }),
      )
      const few = hitsByKind.flatMap((hits) => hits.slice(0, MOST_OF_KIND))
      const shown = few.sort(exactFirst).slice(0, MOST_HITS)
      const kinds = among.map(({ face }) => face.kind)
      const isCut = (kind: Hit['kind'], index: number) =>
        shown.filter((hit) => hit.kind === kind).length < (hitsByKind[index]?.length ?? 0)
      return { hits: shown.map(({ identity: _, ...hit }) => hit), more: kinds.filter(isCut) }
    },

    estimate(request, at) {
      const ranges = request.among.flatMap((kind) => rangesOf(kind, request))
      const searched = ranges
        .map((range) => ({ range, table: at.table(range.resource) }))
        .filter(({ range, table }) => !isSortedBy(blocks, table, range))
      if (searched.length === 0) return { by: 'index', files: 1, rows: ranges.length * NEEDED, compared: 0 }
      const files = searched.flatMap(({ table }) => table.files)
      return { by: 'engine', files: files.length, rows: files.reduce((sum, { rows }) => sum + rows, 0) }
    },
  }
}

function keepFirst(hitsByIdentity: Map<string, RankedHit>, hits: readonly RankedHit[]): void {
  for (const hit of hits) if (!hitsByIdentity.has(hit.identity)) hitsByIdentity.set(hit.identity, hit)
}

function exactFirst(a: Hit, b: Hit): number {
  return Number(b.isExact) - Number(a.isExact)
}

function byText(a: RankedHit, b: RankedHit): number {
  return exactFirst(a, b) || compareBytes(a.text, b.text) || compareBytes(a.identity, b.identity)
}
