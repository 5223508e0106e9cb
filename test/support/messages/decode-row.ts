import type { Value } from '../../../src/catalog/column.ts'
import { openKindReader } from '../../../src/write/ingest/decode/kinds.ts'
import type { Artifact, ArtifactKind } from '../../../src/write/ingest/files/artifact.ts'
import { RowFault } from '../../../src/write/wire/faults.ts'
import { openProtobufReader } from '../../../src/write/wire/reader.ts'
import type { KindReader } from '../../../src/write/wire/row-decoder.ts'

const artifactOf = (kind: ArtifactKind, network?: 'iot' | 'mobile'): Artifact => ({
  path: `/${kind}.1738369800559.gz`,
  name: `${kind}.1738369800559.gz`,
  kind,
  network,
  createdMs: 1_738_369_800_559,
  bytes: 0,
})

/** What a message becomes: the columns that have a value, and its variant as `reward_type` where it has one. */
export function decodeRow(
  kind: ArtifactKind,
  bytes: Uint8Array,
  network?: 'iot' | 'mobile',
): Record<string, Value> {
  const { decoder } = openKindReader(kind)
  const variant = decoder.decode(openProtobufReader(bytes), bytes.length, artifactOf(kind, network))
  return Object.fromEntries(Object.entries(rowIn(decoder, variant)).filter(([, value]) => value !== null))
}

/** What a decoder holds after a message, with the variant as `reward_type` where there is one. */
export function rowIn(
  { columns, values }: KindReader['decoder'],
  variant: string | null,
): Record<string, Value> {
  const row = Object.fromEntries(columns.map((column, slot) => [column, values[slot] ?? null]))
  return variant === null ? row : { ...row, reward_type: variant }
}

/** The sentence with which a message is refused as a row; throws when it is not. */
export function refusalOf(kind: ArtifactKind, bytes: Uint8Array, network?: 'iot' | 'mobile'): string {
  try {
    decodeRow(kind, bytes, network)
  } catch (error) {
    if (error instanceof RowFault) return error.message
    throw error
  }
  throw new Error('the message was not refused')
}
