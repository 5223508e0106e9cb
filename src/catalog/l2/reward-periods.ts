import { instant, oneOf, origin } from '../column.ts'
import { asColumns } from '../members.ts'

/** Periods, order, access and filters that the reward shares of both networks share. */

export function periodColumns<const Types extends readonly string[]>(rewardTypes: Types) {
  return {
    ...origin,
    reward_type: oneOf(rewardTypes, 'Type of the reward; chooses the variant.'),
    start_period: instant('Start of the rewarded period, UTC.'),
    end_period: instant('End of the rewarded period, UTC; from and to limit it.'),
  }
}

export const rewardShareTable = {
  /** The log counts rows per (end_period, reward_type, source_file), so the first three columns locate any page. */
  order: [
    { column: 'end_period' },
    { column: 'reward_type' },
    { column: 'source_file' },
    { column: 'hotspot_key' },
    { column: 'ordinal' },
  ],
  partition: { by: 'month', of: 'end_period' },
  statistics: { period: 'end_period', type: 'reward_type' },
  keyed: 'hotspot_key',
  /** The index by hotspot serves lists of one hotspot; without it, the bounds of chunks skip data. */
  access: {
    bounds: ['end_period'],
    counts: ['reward_type'],
    sorted: [],
    pointers: [],
    chunkRows: 10_240,
  },
  record: asColumns('reward_type', 'start_period', 'end_period'),
  embeds: { reward_manifest: 'manifest' },
  filters: {
    from: {
      column: 'end_period',
      match: 'atLeast',
      required: true,
      doc: 'Earliest end of the period, included. ISO 8601; a bare date means 00:00 UTC.',
    },
    to: {
      column: 'end_period',
      match: 'atMost',
      required: true,
      doc: 'Latest end of the period, included. ISO 8601; a bare date means 00:00 UTC.',
    },
    hotspot_key: {
      column: 'hotspot_key',
      match: 'equals',
      isOne: true,
      doc: 'Key of the rewarded hotspot, exact.',
    },
    reward_type: { column: 'reward_type', match: 'equals', doc: 'Type of the reward, exact.' },
  },
  lookback: 'from',
} as const

/** The manifest of the source file determines the token. */
export const rewardShareGroups = {
  reward_type: 'reward_type',
  token: 'source_file',
  hotspot: 'hotspot_key',
  owner: 'hotspot_key',
  maker: 'hotspot_key',
} as const

export const rewardShareArguments = {
  startPeriod: { filter: 'from' },
  endPeriod: { filter: 'to' },
  hotspotKey: { filter: 'hotspot_key' },
  rewardType: { filter: 'reward_type' },
} as const
