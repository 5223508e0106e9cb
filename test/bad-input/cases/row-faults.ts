import {
  dayEnd,
  dayStart,
  dec,
  len,
  message,
  num,
  period,
  vectorKey,
} from '../../support/messages/oracle-messages.ts'
import { folders } from '../../support/specified.ts'
import type { RowFaultCase } from '../case.ts'

const iot = 'iot_reward_share'
const mobile = 'mobile_reward_share'
const radio = (...fields: readonly Buffer[]) => message(period(), len(8, len(1, vectorKey), ...fields))
const manifest = (...fields: readonly Buffer[]) => message(num(2, dayStart), num(3, dayEnd), ...fields)
const wholeDecimal = 'expected a decimal of at most 20 digits before the point and 64 after it'

export const rowFaults: readonly RowFaultCase[] = [
  {
    name: 'a reward of an unknown variant',
    wrong: 'The reward is of a variant that this build does not know.',
    kind: iot,
    message: message(period(), len(12, num(1, 5))),
    reason: 'reward variant in field 12 is not known to this build',
  },
  {
    name: 'a share without a reward',
    wrong: 'There is a period and no reward.',
    kind: iot,
    message: period(),
    reason: 'the message has no reward; expected one of the known reward variants',
  },
  {
    name: 'an end before its start',
    wrong: 'The end of the period lies before its start.',
    kind: iot,
    message: message(num(1, dayEnd), num(2, dayStart), len(4, num(1, 6))),
    reason:
      'start_period is 2025-02-01T00:00:00Z and end_period is 2025-01-31T00:00:00Z; start_period must be before end_period',
  },
  {
    name: 'an end equal to its start',
    wrong: 'The period has no length.',
    kind: iot,
    message: message(num(1, dayEnd), num(2, dayEnd), len(4, num(1, 6))),
    reason:
      'start_period is 2025-02-01T00:00:00Z and end_period is 2025-02-01T00:00:00Z; start_period must be before end_period',
  },
  {
    name: 'an empty message',
    wrong: 'The message has no bytes.',
    kind: iot,
    message: Buffer.alloc(0),
    reason: 'the message is empty; expected at least one field',
  },
  {
    name: 'a key of no bytes',
    wrong: 'The key of the hotspot is empty.',
    kind: iot,
    message: message(period(), len(3, len(1), num(2, 5))),
    reason: 'hotspot_key is empty; expected a public key of at least one byte',
  },
  {
    name: 'a key that is too long',
    wrong: 'The key of the hotspot is longer than any key.',
    kind: iot,
    message: message(period(), len(3, len(1, Buffer.alloc(1025, 7)))),
    reason: 'hotspot_key is 1025 bytes long; expected at most 1024 bytes',
  },
  {
    name: 'a period beyond the year 9999',
    wrong: 'A time lies beyond what its column holds.',
    kind: iot,
    message: message(num(1, 1), num(2, 253_402_300_800n), len(4, num(1, 6))),
    reason: 'end_period is 253402300800; expected at most 253402300799',
  },
  {
    name: 'a text that is not UTF-8',
    wrong: 'A text has bytes that are no UTF-8.',
    kind: mobile,
    message: message(period(), len(9, len(1, Buffer.from('41fe', 'hex')))),
    reason: 'text 0x41fe is not UTF-8',
  },
  {
    name: 'a subscriber without an id',
    wrong: 'The id of the subscriber is empty.',
    kind: mobile,
    message: message(period(), len(5, num(2, 5))),
    reason: 'subscriber_id is empty; expected a public key of at least one byte',
  },
  {
    name: 'a decimal that is no number',
    wrong: 'A decimal is written as something else.',
    kind: mobile,
    message: radio(dec(5, '1,5')),
    reason: `base_reward_shares is "1,5"; ${wholeDecimal}`,
  },
  {
    name: 'a decimal that is too large',
    wrong: 'A decimal has 21 digits before its point.',
    kind: mobile,
    message: radio(dec(3, '1e20')),
    reason: `base_coverage_points_sum is "1e20"; ${wholeDecimal}`,
  },
  {
    name: 'a decimal that is too fine',
    wrong: 'A decimal has 65 digits after its point.',
    kind: mobile,
    message: radio(dec(3, '1e-65')),
    reason: `base_coverage_points_sum is "1e-65"; ${wholeDecimal}`,
  },
  {
    name: 'a decimal of two million digits',
    wrong: 'A decimal has millions of digits; the reason shows the first.',
    kind: mobile,
    message: radio(dec(3, `0.${'0'.repeat(2_000_000)}1`)),
    reason: `base_coverage_points_sum is "0.${'0'.repeat(78)}…"; ${wholeDecimal}`,
  },
  {
    name: 'a long text that is not UTF-8',
    wrong: 'A long text is not UTF-8; the reason shows its first bytes.',
    kind: mobile,
    message: message(period(), len(9, len(1, Buffer.alloc(50_000, 0xfe)))),
    reason: `text 0x${'fe'.repeat(40)}… is not UTF-8`,
  },
  {
    name: 'a number beyond 63 bits',
    wrong: 'A number is greater than its column holds.',
    kind: mobile,
    message: message(period(), len(3, len(1, vectorKey), num(5, 2n ** 63n))),
    reason: 'coverage_points is 9223372036854775808; expected at most 9223372036854775807',
  },
  {
    name: 'a seniority beyond the year 9999',
    wrong: 'A time within a reward lies beyond what its column holds.',
    kind: mobile,
    message: radio(num(9, 253_402_300_800n)),
    reason: 'seniority_timestamp is 253402300800; expected at most 253402300799',
  },
  {
    name: 'a manifest of no network',
    wrong: 'A manifest has no reward data, and nothing else names its network.',
    kind: 'reward_manifest',
    message: manifest(len(1, 'x.gz')),
    reason:
      'the manifest has no reward data, and neither its folder nor its written_files name a network; ' +
      `use a folder named ${folders}`,
  },
  {
    name: 'a manifest that ends before it starts',
    wrong: 'The end of a manifest is not after its start.',
    kind: 'reward_manifest',
    message: message(num(2, dayEnd), num(3, dayStart), len(5, dec(1, '1'))),
    reason:
      'start_timestamp is 2025-02-01T00:00:00Z and end_timestamp is 2025-01-31T00:00:00Z; start_timestamp must be before end_timestamp',
  },
  {
    name: 'an epoch beyond 63 bits',
    wrong: 'The epoch of a manifest is greater than its column holds.',
    kind: 'reward_manifest',
    message: manifest(len(5, dec(1, '1')), num(6, 2n ** 64n - 1n)),
    reason: 'epoch is 18446744073709551615; expected at most 9223372036854775807',
  },
  {
    name: 'a decimal of a manifest that is no number',
    wrong: 'A decimal of a manifest is written as something else.',
    kind: 'reward_manifest',
    message: manifest(len(5, dec(1, 'many'))),
    reason: `poc_bones_per_beacon_reward_share is "many"; ${wholeDecimal}`,
  },
  {
    name: 'a report without a key',
    wrong: 'A witness report names no hotspot.',
    kind: 'iot_witness_ingest_report',
    message: message(num(1, 1_738_368_000_000), len(2, num(8, 5))),
    reason: 'hotspot_key is empty; expected a public key of at least one byte',
  },
  {
    name: 'a report from beyond the year 9999',
    wrong: 'The time of a witness report lies beyond what its column holds.',
    kind: 'iot_witness_ingest_report',
    message: message(num(1, 253_402_300_800_000n), len(2, len(2, vectorKey))),
    reason: 'received_at is 253402300800000; expected at most 253402300799999',
  },
  {
    name: 'a report of more nanoseconds than fit 63 bits',
    wrong: 'The time that a gateway gives is greater than its column holds.',
    kind: 'iot_witness_ingest_report',
    message: message(num(1, 1_738_368_000_000), len(2, len(2, vectorKey), num(4, 2n ** 63n))),
    reason: 'reported_ns is 9223372036854775808; expected at most 9223372036854775807',
  },
]
