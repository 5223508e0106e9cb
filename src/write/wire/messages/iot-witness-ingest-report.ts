import { dataRates } from '../../../catalog/l2/iot-witness-ingest-reports.ts'
import { columnFields, group, type WireFields } from '../field.ts'

const { bytes, choice, int32, key, long, milliseconds, nanoseconds, sint32, uint32 } = columnFields

export const iotWitnessIngestReportFields: WireFields = {
  1: milliseconds('received_at'),
  2: group({
    2: key('hotspot_key'),
    3: bytes('data'),
    4: nanoseconds('reported_at', 'reported_ns'),
    5: uint32('tmst'),
    6: sint32('signal'),
    7: int32('snr'),
    8: long('frequency'),
    10: choice('data_rate', dataRates),
    11: bytes('signature'),
  }),
}
