import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { smallNetwork } from '../../support/fixtures.ts'
import type { FileFaultCase } from '../case.ts'

const contents = {
  'IoT shares': 'foundation-iot-verified-rewards/iot_reward_share.1738110600087.gz',
  'Mobile shares': 'foundation-mobile-verified/mobile_network_reward_shares_v1.1738369800566.gz',
  'witness reports': 'foundation-iot-ingest/iot_witness_ingest_report.1738369800564.gz',
  'an IoT manifest': 'foundation-iot-verified-rewards/reward_manifest.1738110600186.gz',
  'a Mobile manifest': 'foundation-mobile-verified/reward_manifest.1738110600286.gz',
}
type Content = keyof typeof contents

const names: Readonly<Record<string, string>> = {
  'IoT shares': 'iot_reward_share',
  'Mobile shares': 'mobile_reward_share',
  'a manifest': 'reward_manifest',
  'witness reports': 'iot_witness_ingest_report',
}

const wrongType = (field: number, found: number, expected: number) =>
  `message 0 is not a protobuf of this kind (field ${field} has wire type ${found} instead of ${expected}); ` +
  'expected whole messages'
/** The milliseconds of a report are seconds of a year far away, which only this message could have. */
const allRefused =
  '120 of 120 messages were refused, more than the limit of 10; ' +
  'the first is message 0: start_period is 1738344028511; expected at most 253402300799'

/** What each pair says: the kind that the name gives, what the content is, and the reason. */
const pairs: readonly (readonly [string, Content, string])[] = [
  ['IoT shares', 'Mobile shares', wrongType(1, 2, 0)],
  ['IoT shares', 'witness reports', allRefused],
  ['IoT shares', 'an IoT manifest', wrongType(1, 2, 0)],
  ['IoT shares', 'a Mobile manifest', wrongType(1, 2, 0)],
  ['Mobile shares', 'IoT shares', wrongType(2, 0, 2)],
  ['Mobile shares', 'witness reports', allRefused],
  ['Mobile shares', 'an IoT manifest', wrongType(1, 2, 0)],
  ['Mobile shares', 'a Mobile manifest', wrongType(1, 2, 0)],
  ['a manifest', 'IoT shares', wrongType(1, 0, 2)],
  ['a manifest', 'Mobile shares', wrongType(1, 0, 2)],
  ['a manifest', 'witness reports', wrongType(1, 0, 2)],
  ['witness reports', 'IoT shares', wrongType(2, 0, 2)],
  ['witness reports', 'Mobile shares', wrongType(2, 0, 2)],
  ['witness reports', 'an IoT manifest', wrongType(1, 2, 0)],
  ['witness reports', 'a Mobile manifest', wrongType(1, 2, 0)],
]

/** A file of one kind under the name of another. */
export const otherKinds: readonly FileFaultCase[] = pairs.map(([name, content, reason], index) => ({
  name: `${content} under the name of ${name}`,
  wrong: `The name is that of ${name}, the content ${content}.`,
  files: {
    [`${names[name]}.${500 + index}.gz`]: readFileSync(join(smallNetwork, 'oracle', contents[content])),
  },
  reason,
}))
