import { makers } from '../catalog/l2/makers.ts'
import type { Row } from '../catalog/resource.ts'
import { Shared, Verbatim } from '../derive/json-writer.ts'
import { noFacts } from '../derive/member.ts'
import { toRecord } from '../derive/record.ts'
import type { Spelling } from '../derive/spelling.ts'
import type { Engine } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { idOf } from './ids.ts'
import { onceFor } from './once.ts'

/** The makers of one snapshot by their ids: some eighty. */
interface MakerIndex {
  /** The maker of a hotspot; one that is not known here as its import brought it. */
  recordOf(hotspot: Row): Shared | Verbatim | null
}

export type ReadMakers = (at: Snapshot, signal?: AbortSignal) => Promise<MakerIndex>

/** Reads the makers of a snapshot, once for each version of their table. */
export function makerReader(engine: Engine, spelling: Spelling): ReadMakers {
  return onceFor(engine, makers, (rows, at) => {
    const records = rows.map((row): [string, Shared] => {
      const id = idOf(makers, row, at)
      return [id, new Shared(toRecord(makers, row, id, noFacts, {}, spelling))]
    })
    const byId = new Map(records)
    return {
      recordOf: ({ maker_id, maker }) =>
        byId.get(String(maker_id)) ?? (typeof maker === 'string' ? new Verbatim(maker, 'small') : null),
    }
  })
}
