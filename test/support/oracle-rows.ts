import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ExactRow, ExactValue } from './delta-table.ts'
import { smallNetwork } from './fixtures.ts'
import { base58checkOf, type RawFields, readFields, readMessages } from './wire-by-hand.ts'

/**
 * The rows that the oracle files of the small network stand for, read by hand from the public message
 * definitions: no part of the project takes part in it.
 */

type Read = (value: bigint | Buffer | undefined) => ExactValue
/** Field number -> column and reading. */
type Message = Readonly<Record<number, readonly [column: string, read: Read]>>

const varint: Read = (value) => (value as bigint | undefined) ?? 0n
const int32: Read = (value) => BigInt.asIntN(32, (value as bigint | undefined) ?? 0n)
const zigzag: Read = (value) => {
  const raw = (value as bigint | undefined) ?? 0n
  return (raw >> 1n) ^ -(raw & 1n)
}
const text: Read = (value) => (value as Buffer | undefined)?.toString('utf8') ?? ''
const hex: Read = (value) => (value as Buffer | undefined)?.toString('hex') ?? ''
const hexOrNull: Read = (value) => (value as Buffer | undefined)?.toString('hex') ?? null
const key: Read = (value) => base58checkOf(value as Buffer)
const seconds: Read = (value) => ((value as bigint | undefined) ?? 0n) * 1_000_000n
const secondsOrNull: Read = (value) => (value === undefined ? null : (value as bigint) * 1_000_000n)
const decimalText = (value: bigint | Buffer | undefined) =>
  value === undefined ? '0' : (text(readFields(value as Buffer).get(1)?.[0]) as string)
const decimal: Read = (value) => plainDecimal(decimalText(value))
const choice =
  (...names: string[]): Read =>
  (value) =>
    names[Number(value ?? 0n)] ?? String(value)

/** Cut to 18 digits after the point, without needless zeros. */
function plainDecimal(verbatim: string): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(verbatim) ?? []
  if (whole === '') throw new Error(`${verbatim} is not as plain as the fixtures are`)
  const kept = fraction.slice(0, 18).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

const iotVariants: Readonly<Record<number, readonly [name: string, message: Message]>> = {
  3: [
    'gateway_reward',
    {
      1: ['hotspot_key', key],
      2: ['beacon_amount', varint],
      3: ['witness_amount', varint],
      4: ['dc_transfer_amount', varint],
    },
  ],
  4: ['operational_reward', { 1: ['amount', varint] }],
  5: [
    'unallocated_reward',
    {
      1: [
        'unallocated_reward_type',
        choice(
          'unallocated_reward_type_poc',
          'unallocated_reward_type_operation',
          'unallocated_reward_type_oracle',
          'unallocated_reward_type_data',
        ),
      ],
      2: ['amount', varint],
    },
  ],
}

const mobileVariants: typeof iotVariants = {
  3: [
    'radio_reward',
    {
      1: ['hotspot_key', key],
      2: ['cbsd_id', text],
      3: ['dc_transfer_reward', varint],
      4: ['poc_reward', varint],
      5: ['coverage_points', varint],
      6: ['seniority_timestamp', secondsOrNull],
      7: ['coverage_object', hexOrNull],
    },
  ],
  4: [
    'gateway_reward',
    {
      1: ['hotspot_key', key],
      2: ['dc_transfer_reward', varint],
      3: ['rewardable_bytes', varint],
      4: ['price', varint],
    },
  ],
  5: [
    'subscriber_reward',
    {
      1: ['subscriber_id', key],
      2: ['discovery_location_amount', varint],
      3: ['subscriber_reward', varint],
      4: ['reward_override_entity_key', text],
    },
  ],
  6: [
    'service_provider_reward',
    {
      1: ['service_provider_id', choice('helium_mobile')],
      2: ['amount', varint],
      3: ['rewardable_entity_key', text],
    },
  ],
  7: [
    'unallocated_reward',
    {
      1: [
        'unallocated_reward_type',
        choice(
          'unallocated_reward_type_poc',
          'unallocated_reward_type_discovery_location',
          'unallocated_reward_type_mapper',
          'unallocated_reward_type_service_provider',
          'unallocated_reward_type_oracle',
          'unallocated_reward_type_data',
        ),
      ],
      2: ['amount', varint],
    },
  ],
  8: [
    'radio_reward_v2',
    {
      1: ['hotspot_key', key],
      2: ['cbsd_id', text],
      3: ['base_coverage_points_sum', decimal],
      4: ['boosted_coverage_points_sum', decimal],
      5: ['base_reward_shares', decimal],
      6: ['boosted_reward_shares', decimal],
      7: ['base_poc_reward', varint],
      8: ['boosted_poc_reward', varint],
      9: ['seniority_timestamp', secondsOrNull],
      10: ['coverage_object', hexOrNull],
      12: ['location_trust_score_multiplier', decimal],
      14: ['speedtest_multiplier', decimal],
      15: [
        'sp_boosted_hex_status',
        choice(
          'sp_boosted_hex_status_eligible',
          'sp_boosted_hex_status_location_score_below_threshold',
          'sp_boosted_hex_status_radio_threshold_not_met',
          'sp_boosted_hex_status_service_provider_ban',
          'sp_boosted_hex_status_average_asserted_distance_over_limit',
          'sp_boosted_hex_status_not_enough_connections',
        ),
      ],
      18: [
        'oracle_boosted_hex_status',
        choice(
          'oracle_boosted_hex_status_eligible',
          'oracle_boosted_hex_status_banned',
          'oracle_boosted_hex_status_qualified',
        ),
      ],
    },
  ],
  9: [
    'promotion_reward',
    { 1: ['entity', text], 2: ['service_provider_amount', varint], 3: ['matched_amount', varint] },
  ],
}

const reportMessage: Message = {
  2: ['hotspot_key', key],
  3: ['data', hex],
  5: ['tmst', varint],
  6: ['signal', zigzag],
  7: ['snr', int32],
  8: ['frequency', varint],
  10: [
    'data_rate',
    choice(
      ...['SF12BW125', 'SF11BW125', 'SF10BW125', 'SF9BW125', 'SF8BW125', 'SF7BW125'],
      ...['SF12BW250', 'SF11BW250', 'SF10BW250', 'SF9BW250', 'SF8BW250', 'SF7BW250'],
      ...['SF12BW500', 'SF11BW500', 'SF10BW500', 'SF9BW500', 'SF8BW500', 'SF7BW500'],
      ...['LRFHSS1BW137', 'LRFHSS2BW137', 'LRFHSS1BW336', 'LRFHSS2BW336', 'LRFHSS1BW1523', 'LRFHSS2BW1523'],
      'FSK50',
    ),
  ],
  11: ['signature', hex],
}

function readAs(message: Message, fields: RawFields): ExactRow {
  const entries = Object.entries(message).map(([number, [column, read]]) => [
    column,
    read(fields.get(Number(number))?.at(-1)),
  ])
  return Object.fromEntries(entries)
}

const nested = (fields: RawFields, number: number) => readFields(fields.get(number)?.[0] as Buffer)

function readShare(variants: typeof iotVariants, fields: RawFields): ExactRow {
  const number = Number(Object.keys(variants).find((candidate) => fields.has(Number(candidate))))
  const [name, message] = variants[number] ?? ['', {}]
  return {
    start_period: seconds(fields.get(1)?.[0]),
    end_period: seconds(fields.get(2)?.[0]),
    reward_type: name,
    ...readAs(message, nested(fields, number)),
  }
}

function readReport(fields: RawFields): ExactRow {
  const report = nested(fields, 2)
  const nanoseconds = report.get(4)?.[0] as bigint
  return {
    received_at: (fields.get(1)?.[0] as bigint) * 1000n,
    reported_at: nanoseconds / 1000n,
    reported_ns: nanoseconds,
    ...readAs(reportMessage, report),
  }
}

const isoOf = (value: bigint | Buffer | undefined) =>
  new Date(Number(value ?? 0n) * 1000).toISOString().replace('.000Z', 'Z')

function readPromotions(provider: RawFields): object {
  return {
    service_provider: 'helium_mobile',
    incentive_escrow_fund_bps: Number(provider.get(2)?.[0] ?? 0n),
    promotions: (provider.get(3) ?? []).map((bytes) => {
      const promotion = readFields(bytes as Buffer)
      return {
        entity: text(promotion.get(1)?.[0]),
        start_ts: isoOf(promotion.get(2)?.[0]),
        end_ts: isoOf(promotion.get(3)?.[0]),
        shares: Number(promotion.get(4)?.[0] ?? 0n),
      }
    }),
  }
}

function readManifest(fields: RawFields): ExactRow {
  const network = fields.has(4) ? 'mobile' : 'iot'
  const data = nested(fields, network === 'mobile' ? 4 : 5)
  const names =
    network === 'mobile'
      ? ['poc_bones_per_reward_share', 'boosted_poc_bones_per_reward_share']
      : ['poc_bones_per_beacon_reward_share', 'poc_bones_per_witness_reward_share', 'dc_bones_per_share']
  const decimals = names.flatMap((name, index) => {
    const value = data.get(index + 1)?.[0]
    return [
      [name, decimal(value)],
      [`${name}_exact`, decimalText(value)],
    ]
  })
  const promotions = (data.get(3) ?? []).map((bytes) => readPromotions(readFields(bytes as Buffer)))
  return {
    written_files: (fields.get(1) ?? []).map((name) => text(name) as string),
    start_timestamp: seconds(fields.get(2)?.[0]),
    end_timestamp: seconds(fields.get(3)?.[0]),
    epoch: varint(fields.get(6)?.[0]),
    price: varint(fields.get(7)?.[0]),
    reward_type: network,
    token: choice(`${network}_reward_token_${network}`, `${network}_reward_token_main`)(data.get(4)?.[0]),
    ...Object.fromEntries(decimals),
    ...(network === 'mobile' ? { service_provider_promotions: JSON.stringify(promotions) } : {}),
  }
}

const readers: readonly [pattern: RegExp, table: string, read: (fields: RawFields) => ExactRow][] = [
  [/^iot_(reward_share|network_reward_shares)/, 'iot_reward_shares', (f) => readShare(iotVariants, f)],
  [
    /^mobile_(reward_share|network_reward_shares)/,
    'mobile_reward_shares',
    (f) => readShare(mobileVariants, f),
  ],
  [/manifest/, 'reward_manifests', readManifest],
  [/^iot_witness_ingest_report/, 'iot_witness_ingest_reports', readReport],
]

export interface FixtureSource {
  readonly path: string
  readonly name: string
  readonly table: string
  readonly rows: readonly ExactRow[]
}

/** Every oracle file of the small network with its rows; columns that a row's variant lacks are left out. */
export function fixtureSources(): readonly FixtureSource[] {
  const entries = readdirSync(join(smallNetwork, 'oracle'), { recursive: true, encoding: 'utf8' })
  return entries
    .filter((entry) => entry.endsWith('.gz'))
    .map((entry) => readSource(join(smallNetwork, 'oracle', entry)))
}

/** One oracle file with its rows, none of which may be refused. */
export function readSource(path: string): FixtureSource {
  const name = basename(path)
  const [, table = '', read] = readers.find(([pattern]) => pattern.test(name)) ?? []
  if (read === undefined) throw new Error(`no reader for ${name}`)
  const rows = readMessages(path).map((message, ordinal): ExactRow => {
    return { source_file: name, ordinal: BigInt(ordinal), ...read(readFields(message)) }
  })
  return { path, name, table, rows }
}
