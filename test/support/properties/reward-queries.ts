import fc from 'fast-check'
import { secondsText } from '../instants.ts'
import { odd } from '../network/rewards.ts'

type Parameters = Readonly<Record<string, string>>

/** One in six: more than two filters at once seldom find anything. */
const rarely = (texts: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: texts })

/** Filters of the list of rewards, each of them rarely given; `from` is before `to`. */
export const rewardFilters: fc.Arbitrary<Parameters> = fc
  .record({
    account_address: rarely(fc.constantFrom(...odd.names, '1nobody')),
    gateway_address: rarely(fc.constantFrom(...odd.names, 'toString')),
    transaction_hash: rarely(fc.constantFrom(...odd.hashes)),
    type: rarely(fc.constantFrom(...odd.kinds)),
    block: rarely(fc.constantFrom(...odd.blocks, 3n, 77n).map(String)),
    from: rarely(fc.constantFrom(...odd.times.slice(0, 4)).map(secondsText)),
    to: rarely(fc.constantFrom(...odd.times.slice(1)).map(secondsText)),
  })
  .map(
    (given) =>
      Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Parameters,
  )
  .filter(
    ({ from: start, to: end }) =>
      start === undefined || end === undefined || Date.parse(start) < Date.parse(end),
  )
