import { writeInstant } from '../../../base/values/instant.ts'
import type { Value } from '../../../catalog/column.ts'
import { rewardManifests } from '../../../catalog/l2/reward-manifests.ts'
import type { Resource } from '../../../catalog/resource.ts'
import { compileDecoder } from '../../wire/decode.ts'
import { RowFault } from '../../wire/faults.ts'
import { variantColumns, type WireFields } from '../../wire/field.ts'
import { decodeRewardManifest } from '../../wire/messages/reward-manifest.ts'
import { decodedColumns, type KindReader, shapesOf } from '../../wire/row-decoder.ts'

/** Opens a reader for messages whose fields are the columns of a resource. */
export function openMessageReader(resource: Resource, fields: WireFields): KindReader {
  return {
    decoder: { resource, ...compileDecoder(fields, decodedColumns(resource)) },
    shapes: shapesOf(resource, variantColumns(fields)),
  }
}

/** Opens a reader for reward shares, which have a period and exactly one reward. */
export function openShareReader(resource: Resource, fields: WireFields): KindReader {
  const { decoder, shapes } = openMessageReader(resource, fields)
  const { columns, values } = decoder
  const [start, end] = [columns.indexOf('start_period'), columns.indexOf('end_period')]
  const decode: KindReader['decoder']['decode'] = (reader, frameEnd, origin) => {
    const variant = decoder.decode(reader, frameEnd, origin)
    const [startPeriod, endPeriod] = [values[start] as bigint, values[end] as bigint]
    if (endPeriod > startPeriod) return variant
    throw new RowFault(
      `start_period is ${writeInstant(startPeriod)} and end_period is ${writeInstant(endPeriod)}; ` +
        'start_period must be before end_period',
    )
  }
  return { decoder: { ...decoder, decode }, shapes }
}

export function openManifestReader(): KindReader {
  const columns = decodedColumns(rewardManifests)
  const values: Value[] = columns.map(() => null)
  const decoder: KindReader['decoder'] = {
    resource: rewardManifests,
    columns,
    values,
    networkColumn: 'reward_type',
    decode(reader, end, { network }) {
      values.fill(null)
      const row: Readonly<Record<string, Value>> = decodeRewardManifest(reader, end, network)
      for (const [slot, column] of columns.entries()) values[slot] = row[column] ?? null
      return null
    },
  }
  return { decoder, shapes: shapesOf(rewardManifests) }
}
