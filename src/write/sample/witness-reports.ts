import { itemAt } from '../../base/values/item-at.ts'
import { dataRates, type iotWitnessIngestReports } from '../../catalog/l2/iot-witness-ingest-reports.ts'
import type { WireRow } from './encoding/encode-message.ts'
import type { SampleEpoch } from './epochs.ts'
import { openDraws } from './hotspots.ts'
import { deriveSeed, openRandom } from './random.ts'

export type WitnessReport = WireRow<typeof iotWitnessIngestReports, 'hotspot_key'>

const MOST_REPORTS = 5000
const MOST_WITNESSES = 14
/** An oracle collects reports for three minutes before it opens the next file. */
const ROLL_MS = 180_000

const frequencies = [868_100_000n, 868_300_000n, 904_700_000n, 905_300_000n, 916_800_000n] as const

/** Yields the witness reports of one small daily file opened at `openedMs`, oldest first. */
export function* witnessReports(epoch: SampleEpoch, openedMs: number): Generator<WitnessReport> {
  const daily = openRandom(deriveSeed(epoch.seed, 'witness reports', epoch.number))
  const drawHotspot = openDraws(epoch, 'iot')
  const count = Math.min(MOST_REPORTS, Math.max(1, Math.floor(epoch.hotspots / 10)))
  let beacon = { data: daily.bytes(0), frequency: 0n, dataRate: '', witnesses: 0 }
  for (let at = 0; at < count; at += 1) {
    if (beacon.witnesses === 0) {
      beacon = {
        data: daily.bytes(52),
        frequency: daily.pick(frequencies),
        dataRate: itemAt(dataRates, daily.below(6)),
        witnesses: 1 + daily.below(MOST_WITNESSES),
      }
    }
    beacon.witnesses -= 1
    const receivedMs = openedMs + Math.floor((ROLL_MS * (at + daily.unit())) / count)
    const delayMs = 200 + daily.below(4000)
    yield {
      received_at: BigInt(receivedMs) * 1000n,
      hotspot_key: drawHotspot(daily).key,
      data: beacon.data,
      reported_ns: BigInt(receivedMs - delayMs) * 1_000_000n + BigInt(daily.below(1_000_000)),
      tmst: BigInt(daily.word() >>> 0),
      signal: -1300 + daily.below(700),
      snr: -200 + daily.below(320),
      frequency: beacon.frequency,
      data_rate: beacon.dataRate,
      signature: daily.bytes(70 + daily.below(3)),
    }
  }
}
