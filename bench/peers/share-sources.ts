import { idReader } from '../../src/answers/records/entry.ts'
import { manifestReader } from '../../src/answers/records/manifests.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { compareBytes } from '../../src/lake/facts/source.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openServices } from '../../src/services/services.ts'
import { readSettings } from '../../src/services/settings/settings.ts'

/** What rows of one source file of the IoT shares have in common. */
export interface ShareSource {
  readonly name: string
  /** What their ids begin with; ten hexadecimal digits of the ordinal follow. */
  readonly idStart: string
  /** The record of their manifest as JSON, and the digits of its token after the point. */
  readonly manifest: string
  readonly decimals: number
}

const ORDINAL_DIGITS = 10

/** In the order of their names. Errors: a source has no manifest. */
export async function shareSources(lake: string, at: Snapshot): Promise<readonly ShareSource[]> {
  const services = await openServices(readSettings({}, { lake }))
  const manifests = await manifestReader(services.engine)(at)
  await services.close()
  const idOf = idReader(iotRewardShares, at)
  const files = at.table(iotRewardShares).files
  const names = new Set(files.flatMap(({ sources }) => sources.map(({ name }) => name)))
  return [...names].sort(compareBytes).map((name) => {
    const record = manifests.recordOf(name)
    const { tokenDecimals } = manifests.factsOf(name)
    if (record === null || tokenDecimals === null) throw new Error(`${name} has no manifest`)
    return {
      name,
      idStart: idOf({ source_file: name, ordinal: 0n }).slice(0, -ORDINAL_DIGITS),
      manifest: record.text(false),
      decimals: tokenDecimals,
    }
  })
}
