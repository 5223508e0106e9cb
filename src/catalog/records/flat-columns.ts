import type { Kind } from '../column.ts'
import { partitionColumns, partitionMeaning } from '../delta-schema.ts'
import { amountColumns, type Resource } from '../resource.ts'

/** Type of a flat column: a kind of the catalog, or an exact computed value. */
export type FlatType =
  | Kind
  | 'tokens' // whole tokens, 8 digits after the point
  | 'price' // USD for a whole token, 8 digits after the point
  | 'usd' // USD, 16 digits after the point
  | 'count' // a whole number of up to 38 digits
  | 'date' // a day of UTC

/**
 * Source of a flat column; the value is null if the manifest is missing or lacks a value. id: the id of
 * REST. column: a column of the table. partition: the partition column, from the path of the file. day: the
 * UTC day of the middle of the period. manifest, price, tokens, usd, offloaded_bytes: from the manifest of
 * the source file; a price of 0 is no price. sum: of columns, null counts as 0; null in rows that pay no
 * hotspot. `tokens` and `usd` convert such a sum. hotspot, maker: the hotspot whose `ecc_key` is the
 * `hotspot_key`, the first by asset if several, and its maker.
 */
export type FlatSource =
  | { readonly as: 'id' }
  | { readonly as: 'column'; readonly of: string }
  | { readonly as: 'partition'; readonly of: string }
  | { readonly as: 'day' }
  | { readonly as: 'manifest'; readonly of: 'epoch' | 'token' }
  | { readonly as: 'price' }
  | { readonly as: 'sum' | 'tokens' | 'usd'; readonly of: readonly string[] }
  | { readonly as: 'offloaded_bytes'; readonly of: string }
  | { readonly as: 'hotspot'; readonly of: 'name' | 'owner' }
  | { readonly as: 'maker'; readonly of: 'name' }

/** From this price in base units, USD of the largest amounts would need more than 38 digits. */
export const PRICE_LIMIT = 100_000_000_000_000n

/** True if amounts at a price have USD; in files and SQL they are null otherwise. */
export function hasUsd(price: bigint): boolean {
  return price < PRICE_LIMIT
}

/** A column of the flat table of a resource, the same in every export. */
export interface FlatColumn {
  readonly name: string
  readonly type: FlatType
  readonly unit?: 'bones' | 'tokens' | 'USD' | 'USD per token' | 'bytes'
  readonly doc: string
  readonly from: FlatSource
}

/** Returns the flat columns of a resource: its own, those of its manifests, amounts in tokens, earnings, the hotspot, then the partition. */
export function flatColumns(resource: Resource): readonly FlatColumn[] {
  const money = paidColumns(resource)
  const tableColumns = Object.entries(resource.columns).map(([name, { kind, doc }]): FlatColumn => {
    const column = { name, type: kind, doc, from: { as: 'column', of: name } } as const
    return money.includes(name) ? { ...column, unit: 'bones' } : column
  })
  const partition = partitionColumns(resource).map((name): FlatColumn => {
    return { name, type: 'text', doc: partitionMeaning(resource), from: { as: 'partition', of: name } }
  })
  return [...tableColumns, ...(isReward(resource) ? rewardColumns(resource, money) : []), ...partition]
}

/** True if rows are rewards of hotspots with a manifest. */
export function isReward(resource: Resource): boolean {
  return resource.keyed !== undefined && Object.values(resource.embeds ?? {}).includes('manifest')
}

function rewardColumns(resource: Resource, money: readonly string[]): readonly FlatColumn[] {
  const { earned = [] } = resource
  return [
    {
      name: 'day',
      type: 'date',
      doc: 'Day (UTC) in which the middle of the period lies.',
      from: { as: 'day' },
    },
    {
      name: 'epoch',
      type: 'long',
      doc: 'Epoch of the manifest, in days since 1970-01-01; 0 when it leaves it out.',
      from: { as: 'manifest', of: 'epoch' },
    },
    {
      name: 'token',
      type: 'choice',
      doc: 'Token that the share is paid in, by its manifest.',
      from: { as: 'manifest', of: 'token' },
    },
    {
      name: 'price_usd',
      type: 'price',
      unit: 'USD per token',
      doc: 'Oracle price of the manifest, in USD per token; null without one.',
      from: { as: 'price' },
    },
    ...money.map((name) => inTokens(name, resource.columns[name]?.doc ?? '', [name])),
    ...offloadedBytes(resource),
    {
      name: 'earned',
      type: 'amount',
      unit: 'bones',
      doc: `Pay of the hotspot, in bones: ${earned.join(' + ')}; null where no hotspot is paid.`,
      from: { as: 'sum', of: earned },
    },
    inTokens('earned', 'Pay of the hotspot.', earned),
    {
      name: 'usd',
      type: 'usd',
      unit: 'USD',
      doc: 'Pay of the hotspot, in USD at the oracle price of the manifest; null without a price, or at one of 10^14 units or more.',
      from: { as: 'usd', of: earned },
    },
    hotspotColumn('hotspot_name', 'Name of the hotspot, as the hotspots table has it now.', 'name'),
    hotspotColumn('owner', 'Owner of the hotspot now; it may have had another owner then.', 'owner'),
    {
      name: 'maker_name',
      type: 'text',
      doc: 'Name of the maker of the hotspot; null when the makers table lacks it.',
      from: { as: 'maker', of: 'name' },
    },
  ]
}

function inTokens(name: string, doc: string, of: readonly string[]): FlatColumn {
  const meaning = doc.replace(/(, in bones)?\.$/, '')
  return {
    name: `formatted_${name}`,
    type: 'tokens',
    unit: 'tokens',
    doc: `${meaning}, in whole tokens; null while the token is unknown.`,
    from: { as: 'tokens', of },
  }
}

function hotspotColumn(name: string, doc: string, of: 'name' | 'owner'): FlatColumn {
  return { name, type: 'text', doc, from: { as: 'hotspot', of } }
}

function offloadedBytes({ totals = {} }: Resource): readonly FlatColumn[] {
  return Object.values(totals).flatMap((member): FlatColumn[] => {
    if (typeof member !== 'object' || member.derive !== 'offloaded_bytes') return []
    const doc =
      'Offloaded bytes that the data reward stands for, at the price of the manifest; null without one.'
    const from = { as: 'offloaded_bytes', of: member.of } as const
    return [{ name: 'offloaded_bytes', type: 'count', unit: 'bytes', doc, from }]
  })
}

function paidColumns(resource: Resource): readonly string[] {
  const members = Object.values(resource.variants?.cases ?? {}).flatMap((one) => Object.values(one))
  return amountColumns(resource).filter((name) => members.includes(name))
}

const id: FlatColumn = { name: 'id', type: 'text', doc: 'Id, as REST gives it.', from: { as: 'id' } }
const joinedSources: readonly FlatSource['as'][] = ['partition', 'hotspot', 'maker']

/** Columns of an exported list: its id, and columns that need only the row and its manifest. */
export function exportColumns(resource: Resource): readonly FlatColumn[] {
  const columns = flatColumns(resource).filter(({ from }) => !joinedSources.includes(from.as))
  return 'id' in resource.columns ? columns : [id, ...columns]
}

/** Columns of the table that flat columns need; `id` stands for the columns of the id. */
export function flatSourceColumns({ keyed }: Resource, columns: readonly FlatColumn[]): readonly string[] {
  const needed = columns.flatMap(({ from }): readonly string[] => {
    switch (from.as) {
      case 'id':
        return ['id']
      case 'column':
        return [from.of]
      case 'day':
        return ['start_period', 'end_period']
      case 'manifest':
      case 'price':
        return ['source_file']
      case 'sum':
      case 'tokens':
      case 'usd':
        return [...from.of, 'source_file', ...(keyed === undefined ? [] : [keyed])]
      case 'offloaded_bytes':
        return [from.of, 'source_file']
      default:
        return []
    }
  })
  return [...new Set(needed)]
}
