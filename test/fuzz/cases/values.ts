import { cellToParent } from 'h3-js'
import type { Value } from '../../../src/catalog/column.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { instantText } from '../../support/instants.ts'
import { pick } from '../../support/network/draw.ts'
import { words } from '../../support/words.ts'
import { some } from './target.ts'
import type { World } from './world.ts'

/** Values of parameters that a row of the lake has: what is asked with them is answered with that row. */

const DAY = 86_400_000_000n
const zones = words('UTC Europe/Berlin America/New_York Asia/Kolkata Pacific/Apia Australia/Lord_Howe')

/** The text of a filter that a row passes; undefined when the row has no value for it. */
export function filterText(resource: Resource, name: string, row: Row, random: Random): string | undefined {
  const { column, match } = resource.filters?.[name] ?? { column: '', match: 'equals' }
  const value = row[column] ?? null
  if (value === null) return undefined
  const kind = resource.columns[column]?.kind
  if (match === 'atLeast' || match === 'atMost') {
    const micros = kind === 'seconds' ? (value as bigint) * 1_000_000n : (value as bigint)
    // One end only lies on the row itself: a range of an instant is refused.
    const isOnIt = match === 'atLeast' && random.chance(0.3)
    const away = isOnIt ? 0n : DAY * BigInt(1 + random.below(random.chance(0.5) ? 4 : 400))
    return instantText(match === 'atLeast' ? micros - away : micros + away)
  }
  if (match === 'within' && random.chance(0.5)) return ancestor(value as bigint, random.below(12))
  if (match === 'anyOf') return some(value as readonly string[], random).join(',') || undefined
  return plainText(value)
}

/** A day on the side of a filter of a range where the row lies within the range, or its month. */
export function paidDayText({ filters, columns }: Resource, name: string, row: Row, random: Random): string {
  const { column, match } = filters?.[name] ?? { column: '', match: 'equals' }
  const value = row[column] as bigint
  const micros = columns[column]?.kind === 'seconds' ? value * 1_000_000n : value
  const away = DAY * BigInt(1 + random.below(random.chance(0.5) ? 4 : 400))
  const day = instantText(match === 'atLeast' ? micros - away : micros + away).slice(0, 10)
  return random.chance(0.3) && day.startsWith('20') ? day.slice(0, 7) : day
}

function plainText(value: Value): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}

const ancestor = (cell: bigint, resolution: number) =>
  `${BigInt(`0x${cellToParent(cell.toString(16), resolution)}`)}`

/** What a series has to be asked with a median, which is of hotspots over the whole range alone. */
export const besideMedian: Readonly<Record<string, string>> = { group_by: 'hotspot', interval: 'all' }

/** Parameters that are no filters of a resource, by their names in REST. */
export function otherText(world: World, name: string, row: Row, random: Random): string | undefined {
  switch (name) {
    case 'page':
      return `${random.chance(0.8) ? 1 : 2 + random.below(3)}`
    case 'per_page':
      return `${1 + random.below(random.chance(0.7) ? 12 : 100)}`
    case 'limit':
      return `${1 + random.below(random.chance(0.7) ? 5 : 1000)}`
    case 'tz':
      return pick(zones, random)
    case 'owner':
    case 'maker_id': {
      const owned = world.rowsOf(hotspots).filter((one) => one.ecc_key === row.hotspot_key)
      const value = owned.find((one) => (one[name] ?? null) !== null)?.[name]
      return value === undefined || value === null ? undefined : plainText(value)
    }
    case 'hotspot_key':
      return row.hotspot_key === null || row.hotspot_key === undefined ? undefined : String(row.hotspot_key)
    case 'as_of':
      return random.chance(0.7) ? world.snapshots.at(-1) : undefined
    default:
      return undefined
  }
}
