import type { Value } from '../../../src/catalog/column.ts'
import { openKindReader } from '../../../src/write/ingest/decode/kinds.ts'
import type { IngestRequest } from '../../../src/write/ingest/pipeline.ts'
import { RowFault } from '../../../src/write/wire/faults.ts'
import type { KindReader } from '../../../src/write/wire/row-decoder.ts'
import { rowIn } from '../messages/decode-row.ts'

type DecodedRow = Readonly<Record<string, Value>>

/** The readers of a build that cannot store some rows which this one can. */
export function olderBuild(refuses: (row: DecodedRow) => boolean): NonNullable<IngestRequest['openReader']> {
  return (kind) => {
    const { decoder, shapes } = openKindReader(kind)
    const decode: KindReader['decoder']['decode'] = (reader, end, origin) => {
      const variant = decoder.decode(reader, end, origin)
      if (refuses(rowIn(decoder, variant))) throw new RowFault(OLD_REASON)
      return variant
    }
    return { decoder: { ...decoder, decode }, shapes }
  }
}

export const OLD_REASON = 'this build is too old for it'
