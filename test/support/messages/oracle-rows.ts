import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { smallNetwork } from '../fixtures.ts'
import type { ExactRow, ExactValue } from '../tables/delta-table.ts'
import { words } from '../words.ts'
import { base58checkOf, type RawFields, readFields, readMessages } from './wire-by-hand.ts'

/**
 * The rows that the oracle files of the small network stand for, read by hand from the public message
 * definitions: no part of the project takes part in it.
 */

type Field = bigint | Buffer | undefined
type Read = (value: Field) => ExactValue
/** Field number -> column and reading. */
type Message = ReadonlyMap<number, readonly [column: string, read: Read]>

const number = (value: Field) => (value as bigint | undefined) ?? 0n
const text = (value: Field) => (value as Buffer | undefined)?.toString('utf8') ?? ''
const hex = (value: Field) => (value as Buffer | undefined)?.toString('hex')
const seconds = (value: Field) => number(value) * 1_000_000n
const decimalText = (value: Field) =>
  value === undefined ? '0' : text(readFields(value as Buffer).get(1)?.[0])
const decimal = (value: Field) => plainDecimal(decimalText(value))
const choice =
  (names: readonly string[]): Read =>
  (value) =>
    names[Number(value ?? 0n)] ?? String(value)

const kinds: Readonly<Record<string, Read>> = {
  ...{ number, text, seconds, decimal },
  hex: (value) => hex(value) ?? '',
  'hex?': (value) => hex(value) ?? null,
  int32: (value) => BigInt.asIntN(32, number(value)),
  zigzag: (value) => (number(value) >> 1n) ^ -(number(value) & 1n),
  key: (value) => base58checkOf(value as Buffer),
  'seconds?': (value) => (value === undefined ? null : seconds(value)),
}

/** Cut to 18 digits after the point, without needless zeros. */
function plainDecimal(verbatim: string): string {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(verbatim) ?? []
  if (whole === '') throw new Error(`${verbatim} is not as plain as the fixtures are`)
  const kept = fraction.slice(0, 18).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

/**
 * A message from words such as `2:amount` for a number and `3:data:hex`. `1:state:on|off` is a choice named `state_on`,
 * and `10:rate:=A|B` one named `A`.
 */
function messageOf(fields: string): Message {
  return new Map(
    words(fields).map((field): [number, readonly [string, Read]] => {
      const [place, column = '', kind = 'number'] = field.split(':')
      if (!(kind in kinds) && !/[=|]/.test(kind)) throw new Error(`${field} has no kind of column`)
      const names = kind.replace('=', '').split('|')
      const read =
        kinds[kind] ?? choice(names.map((name) => (kind.startsWith('=') ? name : `${column}_${name}`)))
      return [Number(place), [column, read]]
    }),
  )
}

type Variants = Readonly<Record<number, readonly [name: string, message: Message]>>

const iotVariants: Variants = {
  3: ['gateway_reward', messageOf('1:hotspot_key:key 2:beacon_amount 3:witness_amount 4:dc_transfer_amount')],
  4: ['operational_reward', messageOf('1:amount')],
  5: ['unallocated_reward', messageOf('1:unallocated_reward_type:poc|operation|oracle|data 2:amount')],
}

const unallocated = 'poc|discovery_location|mapper|service_provider|oracle|data'
const hexStatus = `eligible|location_score_below_threshold|radio_threshold_not_met|service_provider_ban\
|average_asserted_distance_over_limit|not_enough_connections`

const mobileVariants: Variants = {
  3: [
    'radio_reward',
    messageOf(`1:hotspot_key:key 2:cbsd_id:text 3:dc_transfer_reward 4:poc_reward 5:coverage_points
      6:seniority_timestamp:seconds? 7:coverage_object:hex?`),
  ],
  4: ['gateway_reward', messageOf('1:hotspot_key:key 2:dc_transfer_reward 3:rewardable_bytes 4:price')],
  5: [
    'subscriber_reward',
    messageOf(`1:subscriber_id:key 2:discovery_location_amount 3:subscriber_reward
      4:reward_override_entity_key:text`),
  ],
  6: [
    'service_provider_reward',
    messageOf('1:service_provider_id:=helium_mobile 2:amount 3:rewardable_entity_key:text'),
  ],
  7: ['unallocated_reward', messageOf(`1:unallocated_reward_type:${unallocated} 2:amount`)],
  8: [
    'radio_reward_v2',
    messageOf(`1:hotspot_key:key 2:cbsd_id:text 3:base_coverage_points_sum:decimal
      4:boosted_coverage_points_sum:decimal 5:base_reward_shares:decimal 6:boosted_reward_shares:decimal
      7:base_poc_reward 8:boosted_poc_reward 9:seniority_timestamp:seconds? 10:coverage_object:hex?
      12:location_trust_score_multiplier:decimal 14:speedtest_multiplier:decimal
      15:sp_boosted_hex_status:${hexStatus} 18:oracle_boosted_hex_status:eligible|banned|qualified`),
  ],
  9: ['promotion_reward', messageOf('1:entity:text 2:service_provider_amount 3:matched_amount')],
}

const rates = `SF12BW125|SF11BW125|SF10BW125|SF9BW125|SF8BW125|SF7BW125|SF12BW250|SF11BW250|SF10BW250|SF9BW250\
|SF8BW250|SF7BW250|SF12BW500|SF11BW500|SF10BW500|SF9BW500|SF8BW500|SF7BW500|LRFHSS1BW137|LRFHSS2BW137\
|LRFHSS1BW336|LRFHSS2BW336|LRFHSS1BW1523|LRFHSS2BW1523|FSK50`

const reportMessage = messageOf(`2:hotspot_key:key 3:data:hex 5:tmst 6:signal:zigzag 7:snr:int32 8:frequency
  10:data_rate:=${rates} 11:signature:hex`)

function readAs(message: Message, fields: RawFields): ExactRow {
  const entries = [...message].map(([place, [column, read]]) => [column, read(fields.get(place)?.at(-1))])
  return Object.fromEntries(entries)
}

const nested = (fields: RawFields, place: number) => readFields(fields.get(place)?.[0] as Buffer)

function readShare(variants: Variants, fields: RawFields): ExactRow {
  const place = Number(Object.keys(variants).find((candidate) => fields.has(Number(candidate))))
  const [name, message] = variants[place] ?? ['', new Map()]
  return {
    start_period: seconds(fields.get(1)?.[0]),
    end_period: seconds(fields.get(2)?.[0]),
    reward_type: name,
    ...readAs(message, nested(fields, place)),
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

const isoOf = (value: Field) => new Date(Number(value ?? 0n) * 1000).toISOString().replace('.000Z', 'Z')

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
    written_files: (fields.get(1) ?? []).map(text),
    start_timestamp: seconds(fields.get(2)?.[0]),
    end_timestamp: seconds(fields.get(3)?.[0]),
    epoch: number(fields.get(6)?.[0]),
    price: number(fields.get(7)?.[0]),
    reward_type: network,
    token: choice([network, 'main'].map((name) => `${network}_reward_token_${name}`))(data.get(4)?.[0]),
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
