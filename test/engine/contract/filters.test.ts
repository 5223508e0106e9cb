import { expect, it } from 'vitest'
import type { Kind, Value } from '../../../src/catalog/column.ts'
import { l1Accounts } from '../../../src/catalog/l1/accounts.ts'
import { l1Gateways } from '../../../src/catalog/l1/gateways.ts'
import { l1Rewards } from '../../../src/catalog/l1/rewards.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../../../src/catalog/l2/reward-manifests.ts'
import type { Predicate } from '../../../src/catalog/query/plan.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { compareValues } from '../../support/contract/compare-rows.ts'
import { anyOf, atLeast, atMost, equals, places, rowsPlan } from '../../support/contract/plans.ts'
import { describeEngines, world } from '../../support/contract/world.ts'
import { at } from '../../support/lakes/make-lake.ts'

const matches: Readonly<Record<Exclude<Predicate['match'], 'anyOf'>, (difference: number) => boolean>> = {
  equals: (difference) => difference === 0,
  atLeast: (difference) => difference >= 0,
  atMost: (difference) => difference <= 0,
}
const comparisons = Object.keys(matches) as (keyof typeof matches)[]

/** A column of each kind that is compared, and how. Without a line for a new kind this does not compile. */
const kinds: Readonly<Record<Exclude<Kind, 'texts'>, readonly [Resource, string, typeof comparisons]>> = {
  text: [mobileRewardShares, 'entity', comparisons],
  choice: [iotRewardShares, 'unallocated_reward_type', comparisons],
  amount: [iotRewardShares, 'beacon_amount', comparisons],
  long: [iotWitnessIngestReports, 'frequency', comparisons],
  whole: [l1Accounts, 'balance', comparisons],
  integer: [iotWitnessIngestReports, 'snr', comparisons],
  decimal: [mobileRewardShares, 'base_reward_shares', comparisons],
  instant: [iotRewardShares, 'end_period', comparisons],
  seconds: [l1Rewards, 'time', comparisons],
  cell: [hotspots, 'iot_location', comparisons],
  uuid: [hotspots, 'id', comparisons],
  boolean: [hotspots, 'iot_is_active', comparisons],
  bytes: [mobileRewardShares, 'coverage_object', ['equals']],
  json: [rewardManifests, 'service_provider_promotions', comparisons],
  object: [l1Gateways, 'witnesses', comparisons],
}

const plain = (value: NonNullable<Value>) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

const hasAny = (row: Row, ...networks: string[]) =>
  (row.networks as string[]).some((network) => networks.includes(network))

const between = (row: Row, first: string, last: string) =>
  (row.end_period as bigint) >= at(first) && (row.end_period as bigint) <= at(last)

const day = (date: string) => at(`${date}T00:00:00Z`)

describeEngines((engine) => {
  async function expectMatches(resource: Resource, where: readonly Predicate[], wanted: readonly Row[]) {
    expect(await engine().count({ resource, where }, world.at)).toBe(wanted.length)
    const columns = ['source_file', 'ordinal']
    const rows = await engine().rows(rowsPlan(resource, { where, columns }), world.at)
    expect(places(rows).sort()).toEqual(places(wanted).sort())
  }

  const everyComparison = Object.entries(kinds).flatMap(([kind, [resource, column, allowed]]) =>
    allowed.map((match) => [kind as Kind, match, resource, column] as const),
  )
  it.each(everyComparison)(
    'a filter on a column of kind %s matches by %s like a plain loop',
    async (kind, match, resource, column) => {
      const present = world.rowsOf(resource).filter((row) => row[column] !== null)
      const sorted = present
        .map((row) => row[column] as NonNullable<Value>)
        .sort((a, b) => compareValues(kind, plain(a), plain(b)))
      const values = [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)])
      for (const value of values as NonNullable<Value>[]) {
        const wanted = present.filter((row) =>
          matches[match](compareValues(kind, plain(row[column] as NonNullable<Value>), plain(value))),
        )
        expect(wanted.length).toBeGreaterThan(0)
        await expectMatches(resource, [{ column, match, value }], wanted)
      }
    },
  )

  const cases: Readonly<Record<string, [Resource, readonly Predicate[], (row: Row) => boolean]>> = {
    'a text that would end a statement': [
      iotRewardShares,
      [equals('hotspot_key', "' OR '1'='1")],
      () => false,
    ],
    'a choice and a text': [
      mobileRewardShares,
      [equals('reward_type', 'radio_reward'), equals('cbsd_id', "'; --")],
      (row) => row.reward_type === 'radio_reward' && row.cbsd_id === "'; --",
    ],
    'an empty text': [mobileRewardShares, [equals('cbsd_id', '')], (row) => row.cbsd_id === ''],
    'texts by their bytes, not by UTF-16': [
      mobileRewardShares,
      [atLeast('cbsd_id', '\uffff')],
      (row) => row.cbsd_id === '\uffff' || row.cbsd_id === '\u{1d11e}',
    ],
    'both ends of a range of time, included': [
      iotRewardShares,
      [atLeast('end_period', day('2025-01-31')), atMost('end_period', day('2025-02-01'))],
      (row) => between(row, '2025-01-31', '2025-02-01'),
    ],
    'a range of time without its ends': [
      iotRewardShares,
      [atLeast('end_period', day('2025-01-29') + 1n), atMost('end_period', day('2025-02-01') - 1n)],
      (row) => between(row, '2025-01-29T00:00:00.001Z', '2025-01-31T23:59:59.999Z'),
    ],
    'the first and the last instant that can be asked for': [
      iotRewardShares,
      [atLeast('end_period', at('0000-01-01T00:00Z')), atMost('end_period', at('9999-12-31T23:59:59Z'))],
      () => true,
    ],
    'several bounds on one column': [
      iotRewardShares,
      [
        ...[atLeast('end_period', day('2024-12-31')), atLeast('end_period', day('2025-02-01'))],
        ...[atMost('end_period', day('2025-02-28')), atMost('end_period', day('2025-02-01'))],
      ],
      (row) => between(row, '2025-02-01', '2025-02-01'),
    ],
    'amounts that a double cannot tell apart': [
      iotRewardShares,
      [atLeast('beacon_amount', 2n ** 53n + 1n), atMost('beacon_amount', 2n ** 63n - 1n)],
      ({ beacon_amount: amount }) =>
        amount !== null && (amount as bigint) > 2n ** 53n && (amount as bigint) < 2n ** 63n,
    ],
    'a decimal however it is written': [
      mobileRewardShares,
      [equals('base_reward_shares', '10.00')],
      (row) => row.base_reward_shares === '10',
    ],
    'any of one text': [hotspots, [anyOf('networks', ['mobile'])], (row) => hasAny(row, 'mobile')],
    'any of several texts, and another filter': [
      hotspots,
      [anyOf('networks', ['iot', 'mobile']), equals('iot_is_active', true)],
      (row) => hasAny(row, 'iot', 'mobile') && row.iot_is_active === true,
    ],
    'any of texts that nobody has': [hotspots, [anyOf('networks', ["iot']", '', 'IOT'])], () => false],
    'any of no texts': [hotspots, [anyOf('networks', [])], () => false],
    'a number for a column that is often null': [
      mobileRewardShares,
      [atLeast('seniority_timestamp', 0n)],
      (row) => row.seniority_timestamp !== null,
    ],
  }
  it.each(Object.entries(cases))(
    'a filter matches %s like a plain loop',
    async (_, [resource, where, isMatch]) => {
      const wanted = world.rowsOf(resource).filter(isMatch)
      // Only where nobody can match, nothing does.
      expect(wanted.length > 0).toBe(`${isMatch}` !== '() => false')
      await expectMatches(resource, where, wanted)
    },
  )

  it('a position without a row divides a list like the position of a row', async () => {
    const [resource, period] = [iotRewardShares, day('2025-01-31')]
    const position = [period, '', '', null, 0n]
    const earlier = world.rowsOf(resource).filter((row) => (row.end_period as bigint) < period).length
    expect(earlier).toBeGreaterThan(0)
    const plan = { resource, where: [] }
    expect(await engine().count({ ...plan, before: position }, world.at)).toBe(earlier)
    const later = world.rowsOf(resource).length - earlier
    expect(await engine().count({ ...plan, after: position }, world.at)).toBe(later)
  })
})
