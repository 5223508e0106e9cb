import { bytes, instant, integer, long, oneOf, origin, text } from '../column.ts'
import { defineResource } from '../resource.ts'

/** In the order of their numbers on the wire. */
export const dataRates = [
  'SF12BW125',
  'SF11BW125',
  'SF10BW125',
  'SF9BW125',
  'SF8BW125',
  'SF7BW125',
  'SF12BW250',
  'SF11BW250',
  'SF10BW250',
  'SF9BW250',
  'SF8BW250',
  'SF7BW250',
  'SF12BW500',
  'SF11BW500',
  'SF10BW500',
  'SF9BW500',
  'SF8BW500',
  'SF7BW500',
  'LRFHSS1BW137',
  'LRFHSS2BW137',
  'LRFHSS1BW336',
  'LRFHSS2BW336',
  'LRFHSS1BW1523',
  'LRFHSS2BW1523',
  'FSK50',
] as const

export const iotWitnessIngestReports = defineResource({
  name: 'iot_witness_ingest_reports',
  doc: 'One beacon as one hotspot heard it.',
  columns: {
    ...origin,
    received_at: instant('When the oracle received the report, UTC.'),
    hotspot_key: text('Hotspot that heard the beacon.'),
    data: bytes('Payload of the beacon.'),
    reported_at: instant('When the hotspot heard it, UTC, cut to microseconds.'),
    reported_ns: long('The same in nanoseconds since 1970, whole.'),
    tmst: long('Counter of the concentrator, in microseconds.'),
    signal: integer('Signal strength, in tenths of a dBm.'),
    snr: integer('Signal to noise, in tenths of a dB.'),
    frequency: long('Frequency, in Hz.'),
    data_rate: oneOf(dataRates, 'Spreading factor and bandwidth.'),
    signature: bytes('Signature by the hotspot.'),
  },
  order: [{ column: 'received_at', descending: true }, { column: 'source_file' }, { column: 'ordinal' }],
  partition: { by: 'month', of: 'received_at' },
})
