import { join } from 'node:path'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import { checkOption, MOST_SAMPLE_HOTSPOTS } from './epochs.ts'
import { hotspotRecords, makerRecords } from './hotspot-records.ts'
import { writeWhole } from './whole-file.ts'

const FOLDER = 'l2'

interface HotspotFiles {
  readonly rows: { readonly makers: number; readonly hotspots: number }
  readonly files: number
  /** Bytes on disk. */
  readonly bytes: number
}

/**
 * Writes the makers and hotspots of a network into `out/l2` as JSON lines, in the shapes of the API. They match the
 * oracle files and the ledger of the same seed and number of hotspots. An existing file must have the same bytes.
 * Errors: `malformed_request` for options out of range; those of the file system.
 */
export async function writeHotspots(options: {
  readonly out: string
  readonly seed: bigint | number | string
  readonly hotspots: number
}): Promise<HotspotFiles> {
  const hotspots = checkOption('hotspots', options.hotspots, MOST_SAMPLE_HOTSPOTS)
  const seed = String(options.seed)
  const makers = await writeRecords(join(options.out, FOLDER, 'makers.ndjson'), makerRecords(seed))
  const path = join(options.out, FOLDER, 'hotspots.ndjson')
  const written = await writeRecords(path, hotspotRecords({ seed, hotspots }))
  return {
    rows: { makers: makers.rows, hotspots: written.rows },
    files: 2,
    bytes: makers.bytes + written.bytes,
  }
}

async function writeRecords(path: string, records: Iterable<JsonObject>) {
  let rows = 0
  function* lines(): Generator<string> {
    for (const record of records) {
      rows += 1
      yield `${writeJson(record)}\n`
    }
  }
  return { bytes: await writeWhole(path, lines()), rows }
}
