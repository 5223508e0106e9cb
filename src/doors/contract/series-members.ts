import { totalMeaning } from '../../catalog/records/member-meaning.ts'
import type { Resource } from '../../catalog/resource.ts'
import { earnedRule, usdRule } from './series-meta.ts'

/** Type of a member of a series: `sum` is of any size, `decimal` is text. */
type MemberType =
  | 'text'
  | 'date'
  | 'instant'
  | 'sum'
  | 'decimal'
  | 'count'
  | 'interval'
  | 'grouping'
  | 'limit'
  | 'medians'
  | 'names'
  | 'unknown'

/** A member of a row or of the meta of a series, with its REST name. */
export interface SeriesMember {
  readonly name: string
  readonly holds: MemberType
  readonly mayBeNull?: true
  readonly doc?: string
}

const orNull = (name: string, holds: MemberType, doc?: string): SeriesMember => ({
  ...{ name, holds, mayBeNull: true },
  ...(doc !== undefined && { doc }),
})

const tokens = (name: string) =>
  orNull(`formatted_${name}`, 'decimal', `${name} in whole tokens; null while the token is unknown.`)

/** Members of a row, in order. */
export function rowMembers(resource: Resource): readonly SeriesMember[] {
  const sums = Object.entries(resource.series?.sums ?? {}).flatMap(
    ([name, member]): readonly SeriesMember[] => {
      const sum: SeriesMember = { name, holds: 'sum', doc: `Sum of ${totalMeaning(member)}.` }
      return typeof member === 'string' ? [sum, tokens(name)] : [sum]
    },
  )
  return [
    orNull('start', 'date', 'First day of the step; null where the whole range is one.'),
    orNull(
      'token',
      'text',
      'Token of the amounts, by the manifest; null while it is unknown. Amounts of different tokens do not add up.',
    ),
    orNull('group', 'text', 'Group of the row; null without grouping.'),
    orNull(
      'name',
      'text',
      'Name of the hotspot or maker that is the group, as the tables have it now; null if it has none.',
    ),
    ...sums,
    { name: 'earned', holds: 'sum', doc: earnedRule(resource) },
    tokens('earned'),
    orNull('usd', 'decimal', usdRule(resource)),
  ]
}

export const medianMembers: readonly SeriesMember[] = [
  { name: 'token', holds: 'text' },
  { name: 'hotspots', holds: 'count', doc: 'Number of hotspots that earned more than 0 of it in the range.' },
  {
    name: 'median',
    holds: 'sum',
    doc: 'Median of their earnings; for an even number the lower of the two middle values.',
  },
  orNull('formatted_median', 'decimal', 'median in whole tokens; null where its decimals are unknown.'),
]

/** Members of the meta of a series, in order. */
export const metaMembers: readonly SeriesMember[] = [
  { name: 'interval', holds: 'interval' },
  { name: 'tz', holds: 'text', doc: 'The time zone of days.' },
  orNull('group_by', 'grouping'),
  orNull('limit', 'limit', 'The most groups for each token; null without groups.'),
  orNull(
    'from_served',
    'instant',
    'Start of the served range if the key may not look back as far as from; otherwise null.',
  ),
  orNull('hotspots', 'count', 'Number of requested hotspots; null for the whole network.'),
  orNull(
    'medians',
    'medians',
    'Median earnings of hotspots by token, over all hotspots whatever limit is; null unless median is true.',
  ),
  orNull('names', 'names', 'Keys of the hotspots that were requested by name; null if none was.'),
  orNull(
    'unknown',
    'unknown',
    'Requested keys, owners and makers without any row that the key may read, by parameter. Null if all have rows. A null instead of a list: the server could not check.',
  ),
  { name: 'days', holds: 'text', doc: 'Rule for the day of a row.' },
  { name: 'earned', holds: 'text', doc: 'Columns that earned adds up.' },
  orNull('owners', 'text', 'Source of owners and makers; null where they do not matter.'),
  { name: 'usd', holds: 'text', doc: 'Price of usd.' },
]
