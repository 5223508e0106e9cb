import { describe, expect, it } from 'vitest'
import { l1Rewards } from '../../../src/catalog/l1/rewards.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { CountPlan } from '../../../src/catalog/query/plan.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { type Compile, compileCount, compileRows } from '../../../src/engine/sql/compile.ts'
import { compileSums } from '../../../src/engine/sql/compile-sums.ts'
import { withValues } from '../../../src/engine/trino/literals.ts'
import { trinoDialect } from '../../../src/engine/trino/trino-dialect.ts'
import { anyOf, atLeast, atMost, equals, rowsPlan, sumsPlan } from '../../support/contract/plans.ts'
import { at } from '../../support/lakes/make-lake.ts'

const place = { catalog: 'lake', schema: 'default' }
const line = (text: string) => text.trim().replace(/\s+/g, ' ')

function sqlOf<P extends CountPlan>(compile: Compile<P>, plan: P): string {
  return withValues(compile(plan, [], trinoDialect(place, plan.resource, 7)))
}

const count = (resource: Resource, ...where: CountPlan['where']) => sqlOf(compileCount, { resource, where })

describe('a statement for Trino', () => {
  it('reads the version of the snapshot, and gives whole numbers of 64 bits and instants as text', () => {
    const columns = ['end_period', 'beacon_amount', 'ordinal', 'hotspot_key']
    const where = [equals('hotspot_key', 'a')]
    expect(sqlOf(compileRows, rowsPlan(iotRewardShares, { where, columns, limit: 25, offset: 50 }))).toBe(
      line(`
        SELECT CAST("end_period" AS VARCHAR) AS "end_period", "beacon_amount" AS "beacon_amount",
        CAST("ordinal" AS VARCHAR) AS "ordinal", "hotspot_key" AS "hotspot_key"
        FROM (SELECT "end_period", "beacon_amount", "ordinal", "hotspot_key", "reward_type", "source_file"
        FROM "lake"."default"."iot_reward_shares" FOR VERSION AS OF 7 WHERE "hotspot_key" = 'a') own
        ORDER BY own."end_period" ASC NULLS FIRST, own."reward_type" ASC NULLS FIRST,
        own."source_file" ASC NULLS FIRST, own."hotspot_key" ASC NULLS FIRST, own."ordinal" ASC NULLS FIRST
        OFFSET 50 LIMIT 25
      `),
    )
  })

  it('continues after a position column by column, without a row comparison', () => {
    const after = [at('2025-02-01T00:00:00Z'), 'gateway_reward', 'a.gz', null, 4n]
    expect(sqlOf(compileCount, { resource: iotRewardShares, where: [], after })).toBe(
      line(`
        SELECT count(*) AS count FROM "lake"."default"."iot_reward_shares" FOR VERSION AS OF 7
        WHERE ("end_period" > TIMESTAMP '2025-02-01 00:00:00 UTC' OR ("end_period" = TIMESTAMP '2025-02-01 00:00:00 UTC' AND
        ("reward_type" > 'gateway_reward' OR ("reward_type" = 'gateway_reward' AND
        ("source_file" > 'a.gz' OR ("source_file" = 'a.gz' AND
        ("hotspot_key" IS NOT NULL OR ("hotspot_key" IS NULL AND "ordinal" > BIGINT '4'))))))))
      `),
    )
  })

  it('sums in 38 digits, and rounds the quotient of each row half up', () => {
    const sums = {
      paid: { column: 'poc_reward', as: 'amount' as const },
      bytes: { column: 'dc_transfer_reward', as: 'offloaded_bytes' as const },
    }
    const prices = new Map([['a.gz', 7n]])
    expect(sqlOf(compileSums, sumsPlan(mobileRewardShares, { sums, prices }))).toBe(
      line(`
        SELECT coalesce(sum(CAST("poc_reward" AS DECIMAL(38,0))), DECIMAL '0') AS "paid",
        coalesce(sum(CAST("dc_transfer_reward" * DECIMAL '2147483648' / nullif(p.manifest_price, DECIMAL '0')
        AS DECIMAL(38,0))), DECIMAL '0') AS "bytes"
        FROM "lake"."default"."mobile_reward_shares" FOR VERSION AS OF 7 LEFT JOIN
        (SELECT * FROM unnest(CAST(ARRAY['a.gz'] AS ARRAY(VARCHAR)), CAST(ARRAY[DECIMAL '7'] AS ARRAY(DECIMAL(20,0))))
        AS priced (source_file, manifest_price)) p USING (source_file)
      `),
    )
  })

  it('finds the step of a row by binary search over 64-bit integers', () => {
    const sums = { moved: { column: 'amount', as: 'amount' as const } }
    const steps = { of: 'time', starts: [1_738_368_000n, 2n ** 63n - 1n] }
    const sql = sqlOf(compileSums, sumsPlan(l1Rewards, { sums, steps }))
    const starts = 'CAST(ARRAY[1738368000, 9223372036854775807] AS ARRAY(BIGINT))'
    expect(sql).toContain(
      `reduce(CAST(ARRAY[524288, 262144, 131072, 65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1] AS ARRAY(BIGINT)), BIGINT '0', (found, more) -> IF(element_at(${starts}, found + more) <= "time", found + more, found), found -> found)`,
    )
    expect(sql).not.toContain('DOUBLE')
  })

  it('makes an instant that is finer than milliseconds of its nanoseconds, cut to microseconds', () => {
    const where = equals('reported_at', at('2025-01-31T01:03:25.120Z') + 839n)
    const sql = count(iotWitnessIngestReports, where)
    expect(sql).toContain(`from_unixtime_nanos("reported_ns" - "reported_ns" % 1000) AS "reported_at"`)
    expect(sql).toMatch(/ WHERE "reported_at" = TIMESTAMP '2025-01-31 01:03:25\.120839 UTC'$/)
    expect(count(iotRewardShares)).not.toContain('nanos')
  })

  it.each([
    ["' OR 1=1 --", `'' OR 1=1 --'`],
    ['$1 and $2*', `'$1 and $2*'`],
    ['a\\b', `'a\\b'`],
    ['\u{1d11e}\\\n', `U&'\\+01d11e\\\\\\000a'`],
    ['\ud800', `U&'\\fffd'`],
    ['', `''`],
  ])('writes the text %j as a literal that cannot end early', (value, literal) => {
    expect(count(iotRewardShares, equals('hotspot_key', value))).toMatch(/ WHERE "hotspot_key" = \S.*'$/s)
    expect(count(iotRewardShares, equals('hotspot_key', value)).endsWith(literal)).toBe(true)
  })

  it.each([
    [
      atLeast('beacon_amount', 2n ** 64n - 1n),
      `"beacon_amount" >= CAST(DECIMAL '18446744073709551615' AS DECIMAL(20,0))`,
    ],
    [atMost('ordinal', -1n), `"ordinal" <= BIGINT '-1'`],
    [anyOf('source_file', ['a', "b'"]), `"source_file" IN ('a', 'b''')`],
    [anyOf('source_file', []), `"source_file" IN (CAST(NULL AS VARCHAR))`],
    [atLeast('end_period', 1n), `"end_period" >= TIMESTAMP '1970-01-01 00:00:00.000001 UTC'`],
  ] as const)('compares with a value of the type of the column: %o', (predicate, text) => {
    expect(count(iotRewardShares, predicate).endsWith(` WHERE ${text}`)).toBe(true)
  })
})
