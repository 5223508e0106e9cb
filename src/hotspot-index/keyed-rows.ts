import { bigintOf, type Value } from '../catalog/column.ts'
import type { Row } from '../catalog/resource.ts'
import { compareBounds } from '../lake/chunk-match.ts'
import { compareGroups, type GroupKey, groupColumns } from '../lake/series.ts'
import { compareBytes } from '../lake/source.ts'
import type { GroupRange } from '../query/group-range.ts'
import { openMemory, readRows, type VisitTokens } from './block-rows.ts'
import { groupsIn, type Opened } from './opened.ts'

/** A place in the order of the table; rows without a key come before those with one. */
export interface KeyedPlace {
  readonly group: GroupKey
  readonly key: string | null
  readonly ordinal: bigint
}

/** Rows of one key, in the order of the table. */
export interface KeyedRows {
  readonly total: number
  /** Rows `start` up to but not including `end`, with all columns. */
  read(start: number, end: number): readonly Row[]
  /** How many rows come before a place; `included` counts the row at the place too. */
  before(place: KeyedPlace, included: boolean): number
}

/** The segments are those of consecutive years. */
export function gatherRows(segments: readonly Opened[], key: string, range: GroupRange): KeyedRows {
  const years = segments.flatMap((opened) => {
    const rows = opened.segment.rowsOf(key)
    return rows === undefined ? [] : [{ opened, rows, places: placesOf(opened, rows, range) }]
  })
  return {
    total: years.reduce((sum, { places }) => sum + places.length, 0),

    read(start, end) {
      let before = 0
      return years.flatMap(({ opened, rows, places }) => {
        const own = places.slice(Math.max(0, start - before), Math.max(0, end - before))
        before += places.length
        return own.length === 0 ? [] : readPlaces(opened, key, rows, own)
      })
    },

    before: (place, included) =>
      years.reduce((sum, { opened, places }) => {
        const isBefore = (own: Place) => {
          const difference = comparePlaces(opened, key, own, place)
          return difference < 0 || (included && difference === 0)
        }
        return sum + places.filter(isBefore).length
      }, 0),
  }
}

/** A row of a block by its number in it. */
interface Place {
  readonly row: number
  readonly group: number
  readonly rank: number
  readonly ordinal: bigint
}

function placesOf(opened: Opened, rows: Buffer, range: GroupRange): readonly Place[] {
  const { layout, columns, rankOf } = opened
  const isIn = groupsIn(opened, range)
  const ordinal = columns.indexOf('ordinal')
  const places: Place[] = []
  const visit: VisitTokens = (row, group, tokenOf) => {
    if (isIn[group] !== 1) return
    places.push({ row, group, rank: rankOf[group] ?? 0, ordinal: bigintOf(tokenOf(ordinal)) })
  }
  readRows(rows, layout, openMemory(layout), visit, [ordinal])
  return places.sort((a, b) => a.rank - b.rank || compareBounds(a.ordinal, b.ordinal))
}

function comparePlaces({ layout }: Opened, key: string, own: Place, place: KeyedPlace): number {
  const group = layout.groups[own.group]
  return (
    (group === undefined ? 0 : compareGroups(group, place.group)) ||
    (place.key === null ? 1 : compareBytes(key, place.key)) ||
    compareBounds(own.ordinal, place.ordinal)
  )
}

function readPlaces(opened: Opened, key: string, rows: Buffer, places: readonly Place[]): readonly Row[] {
  const { layout, columns, resource } = opened
  const shared = Object.entries(groupColumns(resource))
  const wanted = new Map(places.map(({ row }, place) => [row, place]))
  const found = new Array<Row>(places.length)
  readRows(rows, layout, openMemory(layout), (row, number, tokenOf) => {
    const place = wanted.get(row)
    const group = layout.groups[number]
    if (place === undefined || group === undefined) return
    const values: Record<string, Value> = { [resource.keyed ?? '']: key }
    for (const [column, own] of shared) values[column] = group[own]
    for (const [column, name] of columns.entries()) {
      const token = tokenOf(column)
      values[name] = token === null ? null : (layout.codecs[column]?.toValue(token) ?? null)
    }
    found[place] = values
  })
  return found
}
