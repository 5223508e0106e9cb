import { BinaryWriter } from '@bufbuild/protobuf/wire'
import type { Value } from '../catalog/column.ts'
import { serviceProviders } from '../catalog/l2/mobile-reward-shares.ts'
import { iotRewardTokens, mobileRewardTokens } from '../catalog/l2/reward-manifests.ts'
import type { Resource, RowOf } from '../catalog/resource.ts'
import { readInstant } from '../derive/instant.ts'
import type { ColumnField, Field, Fields } from './field.ts'
import type { ManifestValues } from './messages/reward-manifest.ts'

/** A row on its way out: as its resource stores it, but key columns hold the raw bytes of the public key. */
export type WireRow<R extends Resource, Keys extends string> = Partial<
  Omit<RowOf<R>, Keys> & Record<Keys, Uint8Array>
>

/** Columns by name; what is null or missing is left off the wire. */
type Values = Readonly<Record<string, Value | undefined>>
type WriteField = (values: Values) => void

/** Gives the bytes of one message. Throws when `reward_type` names no variant of the table. */
type EncodeMessage<V extends Values = Values> = (values: V) => Uint8Array

const VARINT = 0
const LENGTH_DELIMITED = 2
/** Bytes that a frame adds to its message. */
export const FRAME_HEADER_BYTES = 4

/** Writes one frame, a 4-byte big-endian length and the message, and gives the position after it. */
export function writeFrame(into: Buffer, at: number, message: Uint8Array): number {
  into.writeUInt32BE(message.length, at)
  into.set(message, at + FRAME_HEADER_BYTES)
  return at + FRAME_HEADER_BYTES + message.length
}

/** Compiles a field table once. Of several variants, `reward_type` of the row chooses the one written. */
export function compileEncoder<V extends Values = Values>(fields: Fields): EncodeMessage<V> {
  const writer = new BinaryWriter()
  const shared: WriteField[] = []
  const variants = new Map<Value | undefined, WriteField>()
  for (const [number, field] of Object.entries(fields)) {
    const write = compileField(field, Number(number), writer)
    if (field.as === 'variant') variants.set(field.name, write)
    else shared.push(write)
  }
  return (values) => {
    const writeVariant = variants.get(values.reward_type)
    if (writeVariant === undefined && variants.size > 0) {
      throw new Error(`no variant is named ${values.reward_type}`)
    }
    for (const write of shared) write(values)
    writeVariant?.(values)
    return writer.finish()
  }
}

/** A nested message is written even when all its fields are left off: its presence is what says something. */
function compileField(field: Field, number: number, writer: BinaryWriter): WriteField {
  if (field.as !== 'variant' && field.as !== 'group') return compileColumn(field, number, writer)
  const nested = Object.entries(field.fields).map(([at, inner]) => compileField(inner, Number(at), writer))
  const tag = tagOf(number, LENGTH_DELIMITED)
  return (values) => {
    writer.uint32(tag).fork()
    for (const write of nested) write(values)
    writer.join()
  }
}

type CompileColumn<F extends ColumnField> = (field: F, number: number, writer: BinaryWriter) => WriteField

function compileColumn(field: ColumnField, number: number, writer: BinaryWriter): WriteField {
  return (columnWriters[field.as] as CompileColumn<ColumnField>)(field, number, writer)
}

/** Writes what `put` makes of a column; null, missing and `zero` are left off. */
const unless =
  <V extends Value>(
    zero: (value: V) => boolean,
    wireType: number,
    put: (writer: BinaryWriter, value: V) => void,
  ) =>
  ({ column }: { readonly column: string }, number: number, writer: BinaryWriter): WriteField => {
    const tag = tagOf(number, wireType)
    return (values) => {
      const value = values[column] as V | null | undefined
      if (value === null || value === undefined || zero(value)) return
      writer.uint32(tag)
      put(writer, value)
    }
  }

const unsigned = unless<bigint>((value) => value === 0n, VARINT, putUnsigned)
const textual = unless<string>(
  (value) => value === '',
  LENGTH_DELIMITED,
  (writer, value) => writer.string(value),
)
const binary = unless<Uint8Array>(
  (value) => value.length === 0,
  LENGTH_DELIMITED,
  (writer, value) => writer.bytes(value),
)

/** One line for each way a column becomes a field. */
const columnWriters: { readonly [A in ColumnField['as']]: CompileColumn<Extract<ColumnField, { as: A }>> } = {
  seconds: scaled(1_000_000n),
  optionalSeconds: scaled(1_000_000n),
  milliseconds: scaled(1000n),
  nanoseconds: (field, number, writer) => unsigned({ column: field.wholeColumn }, number, writer),
  amount: unsigned,
  long: unsigned,
  uint32: unsigned,
  int32: unless<number>(
    (value) => value === 0,
    VARINT,
    (writer, value) => writer.int32(value),
  ),
  sint32: unless<number>(
    (value) => value === 0,
    VARINT,
    (writer, value) => writer.sint32(value),
  ),
  text: textual,
  bytes: binary,
  optionalBytes: binary,
  key: binary,
  choice: (field, number, writer) =>
    unless<string>(
      (value) => value === (field.choices[0] ?? '0'),
      VARINT,
      (out, value) => out.int32(choiceNumber(field.choices, value)),
    )(field, number, writer),
  decimal: (field, number, writer) => {
    const exactColumn = `${field.column}_exact`
    return (values) => putDecimal(writer, number, values[exactColumn] ?? values[field.column])
  },
}

function tagOf(number: number, wireType: number): number {
  return ((number << 3) | wireType) >>> 0
}

function putUnsigned(writer: BinaryWriter, value: bigint): void {
  if (value <= 0xffff_ffffn && value >= 0n) writer.uint32(Number(value))
  else writer.uint64(value)
}

/** Periods repeat from row to row, so the last one is remembered. */
function scaled(scale: bigint): CompileColumn<ColumnField> {
  return ({ column }, number, writer) => {
    const tag = tagOf(number, VARINT)
    let lastInstant = 0n
    let last = 0n
    return (values) => {
      const instant = values[column] as bigint | null | undefined
      if (instant === null || instant === undefined) return
      if (instant !== lastInstant) {
        last = instant / scale
        lastInstant = instant
      }
      if (last !== 0n) putUnsigned(writer.uint32(tag), last)
    }
  }
}

function choiceNumber(choices: readonly string[], name: string): number {
  const number = choices.indexOf(name)
  return number === -1 ? Number(name) : number
}

/** Writes a message { 1: decimal text }; null and missing are left off, 0 is written out as the oracles do. */
function putDecimal(writer: BinaryWriter, number: number, text: Value | undefined): void {
  if (text === null || text === undefined) return
  writer
    .uint32(tagOf(number, LENGTH_DELIMITED))
    .fork()
    .uint32(tagOf(1, LENGTH_DELIMITED))
    .string(text as string)
    .join()
}

/** One provider as `service_provider_promotions` keeps it. */
interface ProviderPromotions {
  readonly service_provider: string
  readonly incentive_escrow_fund_bps: number
  readonly promotions: readonly {
    readonly entity: string
    readonly start_ts: string
    readonly end_ts: string
    readonly shares: number
  }[]
}

function putProvider(writer: BinaryWriter, provider: ProviderPromotions): void {
  putNumber(writer, 1, choiceNumber(serviceProviders, provider.service_provider))
  putNumber(writer, 2, provider.incentive_escrow_fund_bps)
  for (const promotion of provider.promotions) {
    writer.uint32(tagOf(3, LENGTH_DELIMITED)).fork()
    if (promotion.entity !== '') writer.uint32(tagOf(1, LENGTH_DELIMITED)).string(promotion.entity)
    putSeconds(writer, 2, readInstant(promotion.start_ts) ?? 0n)
    putSeconds(writer, 3, readInstant(promotion.end_ts) ?? 0n)
    putNumber(writer, 4, promotion.shares)
    writer.join()
  }
}

/** Gives the bytes of a reward manifest. Without a token it is an old one, which carries no reward data. */
export function encodeRewardManifest(manifest: ManifestValues): Uint8Array {
  const writer = new BinaryWriter()
  for (const file of manifest.written_files) writer.uint32(tagOf(1, LENGTH_DELIMITED)).string(file)
  putSeconds(writer, 2, manifest.start_timestamp)
  putSeconds(writer, 3, manifest.end_timestamp)
  if (manifest.token !== null) {
    const isMobile = manifest.reward_type === 'mobile'
    writer.uint32(tagOf(isMobile ? 4 : 5, LENGTH_DELIMITED)).fork()
    if (isMobile) putMobileData(writer, manifest)
    else putIotData(writer, manifest)
    putNumber(writer, 4, choiceNumber(isMobile ? mobileRewardTokens : iotRewardTokens, manifest.token))
    writer.join()
  }
  if (manifest.epoch !== 0n) putUnsigned(writer.uint32(tagOf(6, VARINT)), manifest.epoch)
  if (manifest.price !== 0n) putUnsigned(writer.uint32(tagOf(7, VARINT)), manifest.price)
  return writer.finish()
}

function putIotData(writer: BinaryWriter, manifest: ManifestValues): void {
  putDecimal(writer, 1, manifest.poc_bones_per_beacon_reward_share_exact)
  putDecimal(writer, 2, manifest.poc_bones_per_witness_reward_share_exact)
  putDecimal(writer, 3, manifest.dc_bones_per_share_exact)
}

function putMobileData(writer: BinaryWriter, manifest: ManifestValues): void {
  putDecimal(writer, 1, manifest.poc_bones_per_reward_share_exact)
  putDecimal(writer, 2, manifest.boosted_poc_bones_per_reward_share_exact)
  for (const provider of JSON.parse(manifest.service_provider_promotions ?? '[]') as ProviderPromotions[]) {
    writer.uint32(tagOf(3, LENGTH_DELIMITED)).fork()
    putProvider(writer, provider)
    writer.join()
  }
}

function putNumber(writer: BinaryWriter, number: number, value: number): void {
  if (value !== 0) writer.uint32(tagOf(number, VARINT)).uint32(value)
}

function putSeconds(writer: BinaryWriter, number: number, instant: bigint): void {
  if (instant >= 1_000_000n) putUnsigned(writer.uint32(tagOf(number, VARINT)), instant / 1_000_000n)
}
