import { bigintOf } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import { writeInstant } from '../../derive/instant.ts'
import { compileDecoder } from '../../wire/decode.ts'
import { RowFault } from '../../wire/faults.ts'
import type { Fields } from '../../wire/field.ts'
import { decodedColumns, type RowDecoder } from './row-decoder.ts'

/** Reward shares of either network: a period and exactly one reward. */
export function shareDecoder(resource: Resource, fields: Fields): RowDecoder {
  const columns = decodedColumns(resource)
  const message = compileDecoder(fields, columns)
  const start = columns.indexOf('start_period')
  const end = columns.indexOf('end_period')
  return {
    resource,
    columns,
    values: message.values,
    sourceKind: ({ kind }) => kind,
    decode(reader, frameEnd) {
      const variant = message.decode(reader, frameEnd)
      const startPeriod = bigintOf(message.values[start])
      const endPeriod = bigintOf(message.values[end])
      if (endPeriod <= startPeriod) {
        throw new RowFault(
          `end_period ${writeInstant(endPeriod)} is not after start_period ${writeInstant(startPeriod)}; ` +
            'a later end_period is accepted',
        )
      }
      return variant
    },
  }
}
