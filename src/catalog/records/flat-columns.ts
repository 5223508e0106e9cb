import type { Kind } from '../column.ts'
import { partitionColumns, partitionMeaning } from '../delta-schema.ts'
import { amountColumns, type Resource } from '../resource.ts'

/** What the values of a flat column are: a kind of the catalog, or an exact value that follows from several columns. */
export type FlatType =
  | Kind
  | 'tokens' // whole tokens, 8 digits after the point
  | 'price' // USD for a whole token, 8 digits after the point
  | 'usd' // USD, 16 digits after the point
  | 'count' // a whole number of up to 38 digits
  | 'date' // a day of UTC

/**
 * What a flat column follows from. Where a manifest is missing or lacks what is needed, the value is null.
 * id: the id that REST gives. column: a column of the table. partition: the partition column, which stands in the path of a file.
 * day: the UTC day in which the middle of the period lies.
 * manifest, price, tokens, usd, offloaded_bytes: by the manifest that names the source file; a price of 0 is no price.
 * sum: of columns, a null counting as 0; null in rows that pay no hotspot. `tokens` and `usd` are of one column or such a sum.
 * hotspot, maker: the hotspot whose `ecc_key` is the `hotspot_key`, of several the first by asset, and its maker.
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

/** From this price on, in base units of USD, USD of the largest amounts would need more than 38 digits. */
export const PRICE_LIMIT = 100_000_000_000_000n

/** Whether USD follow from a price, whatever the amount; in files and SQL they are null otherwise. */
export function hasUsd(price: bigint): boolean {
  return price < PRICE_LIMIT
}

/** A column of a resource as one flat table, the same wherever whole lists are given. */
export interface FlatColumn {
  readonly name: string
  readonly type: FlatType
  readonly unit?: 'bones' | 'tokens' | 'USD' | 'USD per token' | 'bytes'
  readonly doc: string
  readonly from: FlatSource
}

/**
 * The columns of a resource as a flat table: its own, those of its manifests, amounts in tokens, what was earned, its
 * hotspot, then the partition.
 */
export function flatColumns(resource: Resource): readonly FlatColumn[] {
  const money = paidColumns(resource)
  const own = Object.entries(resource.columns).map(([name, { kind, doc }]): FlatColumn => {
    const column = { name, type: kind, doc, from: { as: 'column', of: name } } as const
    return money.includes(name) ? { ...column, unit: 'bones' } : column
  })
  const partition = partitionColumns(resource).map((name): FlatColumn => {
    return { name, type: 'text', doc: partitionMeaning(resource), from: { as: 'partition', of: name } }
  })
  return [...own, ...(isReward(resource) ? rewardColumns(resource, money) : []), ...partition]
}

/** Whether rows are rewards of hotspots, with a manifest each. */
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
      doc: `What the hotspot was paid, in bones: ${earned.join(' + ')}; null where no hotspot is paid.`,
      from: { as: 'sum', of: earned },
    },
    inTokens('earned', 'What the hotspot was paid.', earned),
    {
      name: 'usd',
      type: 'usd',
      unit: 'USD',
      doc: 'What the hotspot was paid, in USD at the oracle price of the manifest; null without a price, or at one of 10^14 units or more.',
      from: { as: 'usd', of: earned },
    },
    hotspotColumn('hotspot_name', 'Name of the hotspot, as the hotspots table has it now.', 'name'),
    hotspotColumn('owner', 'Owner of the hotspot now, who need not have owned it then.', 'owner'),
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

/** Amounts that the variants pay, in declared order. */
function paidColumns(resource: Resource): readonly string[] {
  const members = Object.values(resource.variants?.cases ?? {}).flatMap((one) => Object.values(one))
  return amountColumns(resource).filter((name) => members.includes(name))
}

const id: FlatColumn = { name: 'id', type: 'text', doc: 'Id, as REST gives it.', from: { as: 'id' } }
const ofOtherTables: readonly FlatSource['as'][] = ['partition', 'hotspot', 'maker']

/** The columns of a list that is given as a file: its id first, and what follows from a row and its manifest. */
export function exportColumns(resource: Resource): readonly FlatColumn[] {
  const columns = flatColumns(resource).filter(({ from }) => !ofOtherTables.includes(from.as))
  return 'id' in resource.columns ? columns : [id, ...columns]
}

/** Columns of its own table that flat columns follow from; `id` stands for those that ids follow from. */
export function storedColumns({ keyed }: Resource, columns: readonly FlatColumn[]): readonly string[] {
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
