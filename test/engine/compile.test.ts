import { describe, expect, it } from 'vitest'
import { instant, long, optional, text } from '../../src/catalog/column.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import type { Predicate, RangeRowsPlan, RowsPlan, SumsPlan } from '../../src/catalog/query/plan.ts'
import { toRangesPlan } from '../../src/catalog/query/to-plan.ts'
import { defineResource } from '../../src/catalog/resource.ts'
import { duckdbDialect } from '../../src/engine/duckdb/duckdb-dialect.ts'
import { compileRangeRows } from '../../src/engine/duckdb/queries/compile-ranges.ts'
import { compileCount, compileRows } from '../../src/engine/sql/compile.ts'
import { compileSums } from '../../src/engine/sql/compile-sums.ts'
import type { SqlDialect } from '../../src/engine/sql/dialect.ts'
import type { LacksOf } from '../../src/engine/sql/scan.ts'

const from: Predicate = { column: 'end_period', match: 'atLeast', value: 10n }
const to: Predicate = { column: 'end_period', match: 'atMost', value: 20n }
const hotspot: Predicate = { column: 'hotspot_key', match: 'equals', value: "'; DROP TABLE x; --" }
const files = ['/lake/a.parquet', '/lake/b.parquet']

const boundFiles = { kind: 'files', value: files }
const boundFrom = { kind: 'instant', value: 10n }
const boundTo = { kind: 'instant', value: 20n }
const boundHotspot = { kind: 'text', value: "'; DROP TABLE x; --" }

/** SQL over several lines, as it stands below, on one. */
const line = (sql: string) => sql.trim().replace(/\s*\n\s*/g, ' ')

describe('rows', () => {
  const plan: RowsPlan = {
    resource: iotRewardShares,
    where: [from, to, hotspot],
    columns: ['hotspot_key', 'beacon_amount', 'end_period'],
    limit: 25,
    offset: 50,
  }

  it('select the columns of the plan, exactly, in the order of the resource', () => {
    expect(compileRows(plan, files, duckdbDialect)).toEqual({
      text: line(`
        SELECT "hotspot_key" AS "hotspot_key", "beacon_amount" AS "beacon_amount", "end_period" AS "end_period"
        FROM (SELECT "hotspot_key", "beacon_amount", "end_period", "reward_type", "source_file", "ordinal"
        FROM read_parquet($1, hive_partitioning = false)
        WHERE "end_period" >= $2::TIMESTAMPTZ AND "end_period" <= $3::TIMESTAMPTZ AND "hotspot_key" = $4::VARCHAR) own
        ORDER BY own."end_period" ASC NULLS FIRST, own."reward_type" ASC NULLS FIRST, own."source_file" ASC NULLS FIRST,
        own."hotspot_key" ASC NULLS FIRST, own."ordinal" ASC NULLS FIRST LIMIT 25 OFFSET 50
      `),
      values: [boundFiles, boundFrom, boundTo, boundHotspot],
    })
  })

  it('of known row numbers read those rows, without filter and offset', () => {
    const ranges = [
      { file: '/lake/a.parquet', first: 90, end: 100 },
      { file: '/lake/b.parquet', first: 0, end: 15 },
    ]
    expect(compileRangeRows(toRangesPlan({ ...plan, columns: ['ordinal'] }, ranges))).toEqual({
      text: line(`
        SELECT "ordinal" AS "ordinal"
        FROM read_parquet($1, hive_partitioning = false, file_row_number = true) WHERE file_row_number >= $2::BIGINT AND file_row_number < $3::BIGINT
        UNION ALL SELECT "ordinal" AS "ordinal"
        FROM read_parquet($4, hive_partitioning = false, file_row_number = true) WHERE file_row_number >= $5::BIGINT AND file_row_number < $6::BIGINT
      `),
      values: [
        { kind: 'files', value: ['/lake/a.parquet'] },
        { kind: 'long', value: 90n },
        { kind: 'long', value: 100n },
        { kind: 'files', value: ['/lake/b.parquet'] },
        { kind: 'long', value: 0n },
        { kind: 'long', value: 15n },
      ],
    })
  })

  it('of one known range end after its last row, so that later row groups are not read', () => {
    const ranges = [{ file: '/lake/a.parquet', first: 90, end: 115 }]
    expect(compileRangeRows(toRangesPlan({ ...plan, columns: ['ordinal'] }, ranges))).toEqual({
      text: line(`
        SELECT "ordinal" AS "ordinal"
        FROM read_parquet($1, hive_partitioning = false, file_row_number = true)
        WHERE file_row_number >= $2::BIGINT AND file_row_number < $3::BIGINT LIMIT $4::BIGINT
      `),
      values: [
        { kind: 'files', value: ['/lake/a.parquet'] },
        { kind: 'long', value: 90n },
        { kind: 'long', value: 115n },
        { kind: 'long', value: 25n },
      ],
    })
  })

  it('of a searched range are filtered, skipped by offset, and keep their order', () => {
    const found: RangeRowsPlan = {
      resource: plan.resource,
      columns: ['ordinal'],
      ranges: [{ file: '/lake/a.parquet', first: 4096, end: 8192 }],
      where: [hotspot],
      ...{ offset: 7, limit: 25 },
    }
    expect(compileRangeRows(found)).toEqual({
      text: line(`
        SELECT "ordinal" AS "ordinal"
        FROM read_parquet($1, hive_partitioning = false, file_row_number = true)
        WHERE file_row_number >= $2::BIGINT AND file_row_number < $3::BIGINT AND "hotspot_key" = $4::VARCHAR
        LIMIT $5::BIGINT OFFSET $6::BIGINT
      `),
      values: [
        { kind: 'files', value: ['/lake/a.parquet'] },
        { kind: 'long', value: 4096n },
        { kind: 'long', value: 8192n },
        boundHotspot,
        { kind: 'long', value: 25n },
        { kind: 'long', value: 7n },
      ],
    })
  })

  it('between two positions compare column by column, and bind each value once', () => {
    const places = {
      resource: iotWitnessIngestReports,
      where: [],
      after: [5n, 'a.gz', 7n],
      before: [3n, 'b.gz', 0n],
    }
    expect(compileCount(places, files, duckdbDialect)).toEqual({
      text: line(`
        SELECT count(*) AS count FROM read_parquet($1, hive_partitioning = false)
        WHERE ("received_at" < $4::TIMESTAMPTZ OR ("received_at" = $4::TIMESTAMPTZ AND
        ("source_file" > $3::VARCHAR OR ("source_file" = $3::VARCHAR AND "ordinal" > $2::BIGINT))))
        AND ("received_at" > $7::TIMESTAMPTZ OR ("received_at" = $7::TIMESTAMPTZ AND
        ("source_file" < $6::VARCHAR OR ("source_file" = $6::VARCHAR AND "ordinal" < $5::BIGINT))))
      `),
      values: [
        { kind: 'files', value: files },
        { kind: 'long', value: 7n },
        { kind: 'text', value: 'a.gz' },
        { kind: 'instant', value: 5n },
        { kind: 'long', value: 0n },
        { kind: 'text', value: 'b.gz' },
        { kind: 'instant', value: 3n },
      ],
    })
  })

  it('from the end are selected in the opposite order and sorted back', () => {
    const oldest = { resource: iotWitnessIngestReports, where: [], columns: ['snr'], limit: 2, offset: 0 }
    expect(compileRows({ ...oldest, fromEnd: true }, files, duckdbDialect).text).toBe(
      line(`
        SELECT "snr" AS "snr" FROM (SELECT "snr", "received_at", "source_file", "ordinal"
        FROM read_parquet($1, hive_partitioning = false)
        ORDER BY "received_at" ASC NULLS LAST, "source_file" DESC NULLS LAST, "ordinal" DESC NULLS LAST LIMIT 2 OFFSET 0) own
        ORDER BY own."received_at" DESC NULLS FIRST, own."source_file" ASC NULLS FIRST, own."ordinal" ASC NULLS FIRST
      `),
    )
  })

  it('of a descending order are sorted DESC, with nulls first', () => {
    const newest = { resource: iotWitnessIngestReports, where: [], columns: ['snr'], limit: 1, offset: 0 }
    expect(compileRows(newest, files, duckdbDialect).text).toBe(
      line(`
        SELECT "snr" AS "snr" FROM (SELECT "snr", "received_at", "source_file", "ordinal"
        FROM read_parquet($1, hive_partitioning = false)) own
        ORDER BY own."received_at" DESC NULLS FIRST, own."source_file" ASC NULLS FIRST, own."ordinal" ASC NULLS FIRST LIMIT 1 OFFSET 0
      `),
    )
  })

  it('write an offset beyond 32 bits with all its digits', () => {
    const { text: sql } = compileRows({ ...plan, offset: 900_719_925_473_900 }, files, duckdbDialect)
    expect(sql).toMatch(/LIMIT 25 OFFSET 900719925473900$/)
  })

  it('before a position keep the nulls of a nullable column, which come first', () => {
    const before = [10n, 'gateway_reward', 'a.gz', 'key', 5n]
    const { text } = compileRows({ ...plan, where: [], before }, files, duckdbDialect)
    expect(text).toMatch(/\("hotspot_key" < \$\d+::VARCHAR OR "hotspot_key" IS NULL\)/)
    const after = compileRows({ ...plan, where: [], after: before }, files, duckdbDialect)
    expect(after.text).toMatch(/"hotspot_key" > \$\d+::VARCHAR OR/)
    expect(after.text).not.toContain('"hotspot_key" IS NULL')
  })

  it('read a column that a file lacks as a null of its type', () => {
    const lacksOf = (file: string) => (file === files[0] ? ['beacon_amount', 'amount'] : [])
    const rows = compileRows({ ...plan, columns: ['beacon_amount'] }, files, duckdbDialect, lacksOf)
    expect(files.length).toBe(2)
    expect(rows.text).toContain(
      line(`
        FROM (SELECT NULL::DECIMAL(20,0) AS "beacon_amount", "end_period", "reward_type", "source_file", "hotspot_key", "ordinal"
        FROM read_parquet($1, hive_partitioning = false) UNION ALL SELECT "beacon_amount", "end_period", "reward_type",
        "source_file", "hotspot_key", "ordinal" FROM read_parquet($2, hive_partitioning = false))
      `),
    )
    const ranges = [{ file: files[0] ?? '', first: 0, end: 5 }]
    expect(compileRangeRows(toRangesPlan(plan, ranges), lacksOf).text).toContain(
      line(`
        FROM (SELECT *, NULL::DECIMAL(20,0) AS "beacon_amount", NULL::DECIMAL(20,0) AS "amount"
        FROM read_parquet($1, hive_partitioning = false, file_row_number = true)) WHERE
      `),
    )
  })

  it('have the same statement if files lack only columns that the plan does not read', () => {
    const count = (lacksOf?: LacksOf) =>
      compileCount({ resource: plan.resource, where: [from] }, files, duckdbDialect, lacksOf)
    expect(count(() => ['amount'])).toEqual(count())
  })
})

describe('counts', () => {
  it('count the matching rows', () => {
    expect(compileCount({ resource: iotRewardShares, where: [from, to] }, files, duckdbDialect)).toEqual({
      text: line(`
        SELECT count(*) AS count FROM read_parquet($1, hive_partitioning = false)
        WHERE "end_period" >= $2::TIMESTAMPTZ AND "end_period" <= $3::TIMESTAMPTZ
      `),
      values: [boundFiles, boundFrom, boundTo],
    })
  })

  it('of all rows have no condition', () => {
    expect(compileCount({ resource: iotRewardShares, where: [] }, files, duckdbDialect)).toEqual({
      text: 'SELECT count(*) AS count FROM read_parquet($1, hive_partitioning = false)',
      values: [boundFiles],
    })
  })
})

describe('sums', () => {
  const plan: SumsPlan = {
    resource: mobileRewardShares,
    where: [hotspot],
    sums: {
      total_poc_reward: { column: 'poc_reward', as: 'amount' },
      total_matched_amount: { column: 'matched_amount', as: 'amount' },
    },
    groupBy: [],
    prices: new Map([['mobile_reward_share.1.gz', 7n]]),
  }

  it('are wider than 64 bits, and 0 without rows', () => {
    expect(compileSums(plan, files, duckdbDialect)).toEqual({
      text: line(`
        SELECT coalesce(sum("poc_reward"), 0)::HUGEINT AS "total_poc_reward",
        coalesce(sum("matched_amount"), 0)::HUGEINT AS "total_matched_amount"
        FROM read_parquet($1, hive_partitioning = false) WHERE "hotspot_key" = $2::VARCHAR
      `),
      values: [boundFiles, boundHotspot],
    })
  })

  it('are computed by group, with the value of the group', () => {
    const grouped = { ...plan, where: [], groupBy: ['end_period', 'reward_type'] }
    expect(compileSums(grouped, files, duckdbDialect).text).toBe(
      line(`
        SELECT "end_period" AS "end_period", "reward_type" AS "reward_type",
        coalesce(sum("poc_reward"), 0)::HUGEINT AS "total_poc_reward",
        coalesce(sum("matched_amount"), 0)::HUGEINT AS "total_matched_amount"
        FROM read_parquet($1, hive_partitioning = false) GROUP BY "end_period", "reward_type"
      `),
    )
  })

  it('of the top groups are ranked by their sum, or selected before they are divided into steps', () => {
    const greatest = { of: ['total_poc_reward', 'total_matched_amount'], limit: 3 }
    const ranked = { ...plan, where: [], groupBy: ['hotspot_key'], greatest }
    const { text: whole } = compileSums(ranked, files, duckdbDialect)
    expect(whole).toMatch(/^SELECT \* FROM \(SELECT "hotspot_key" AS .* GROUP BY "hotspot_key"\) ORDER BY /)
    expect(whole).toMatch(/"total_poc_reward" \+ "total_matched_amount" DESC, "hotspot_key" LIMIT 3$/)
    const steps = { of: 'seniority_timestamp', starts: [0n, 10n] }
    const { text: divided } = compileSums({ ...ranked, steps }, files, duckdbDialect)
    expect(divided).toMatch(
      /^WITH chosen AS MATERIALIZED \(SELECT "hotspot_key" FROM .* DESC, "hotspot_key" LIMIT 3\) /,
    )
  })

  it('of offloaded bytes bind the prices of the manifests by source file, and round every row', () => {
    const bytes = {
      ...plan,
      sums: { bytes: { column: 'dc_transfer_reward', as: 'offloaded_bytes' as const } },
    }
    const { text: sql, values } = compileSums(bytes, files, duckdbDialect)
    expect(sql).toMatch(/sum\(\(\S*"dc_transfer_reward"::HUGEINT \* 4294967296 \+ (\S+)\) \/\/ \(\1 \* 2\)\)/)
    expect(sql).toContain('LEFT JOIN (SELECT unnest($2) AS source_file, unnest($3) AS ')
    expect(values).toEqual([
      boundFiles,
      { kind: 'names', value: ['mobile_reward_share.1.gz'] },
      { kind: 'amounts', value: [7n] },
      boundHotspot,
    ])
  })

  it('bind no prices when no sum needs them', () => {
    expect(compileSums(plan, files, duckdbDialect).text).not.toContain('JOIN')
  })
})

describe('any statement', () => {
  const hostile = '" OR 1=1; --'
  const awkward = defineResource({
    name: 'awkward',
    doc: 'A table whose column has a quote in its name.',
    columns: {
      [hostile]: optional(text('A name that nobody should give.')),
      at: instant('When.'),
      ordinal: long('Which.'),
    },
    order: [{ column: 'at' }, { column: 'ordinal' }],
    partition: null,
  })

  it('quotes identifiers', () => {
    const plan = { resource: awkward, where: [], columns: [hostile], limit: 1, offset: 0 }
    expect(compileRows(plan, files, duckdbDialect).text).toContain(
      'SELECT """ OR 1=1; --" AS """ OR 1=1; --" FROM',
    )
  })

  it('refuses a column that the catalog does not have', () => {
    const where: Predicate[] = [{ column: '1=1; --', match: 'equals', value: 'x' }]
    expect(() => compileCount({ resource: iotRewardShares, where }, files, duckdbDialect)).toThrow(
      'iot_reward_shares has no column 1=1; --',
    )
    for (const column of ['__proto__', 'constructor', 'toString']) {
      const plan = { resource: iotRewardShares, where: [], columns: [column], limit: 1, offset: 0 }
      expect(() => compileRows(plan, files, duckdbDialect), column).toThrow(/has no column/)
    }
  })

  it('has the same text for all values, so that it is prepared once', () => {
    const count = (value: string) =>
      compileCount(
        { resource: iotRewardShares, where: [{ column: 'hotspot_key', match: 'equals', value }] },
        [value],
        duckdbDialect,
      )
    expect(count('a').text).toBe(count("'; DROP TABLE x; --").text)
    expect(count('a').values).not.toEqual(count('b').values)
  })

  it('is written only by the dialect', () => {
    const other: SqlDialect = {
      identifier: (name) => `\`${name}\``,
      equalBytes: (column, index) => `SAME(${column}, ?${index})`,
      anyOf: (column, index) => `ANY(${column}, ?${index})`,
      oneOf: (column, index) => `ONE(${column}, ?${index})`,
      bound: (index, kind) => `?${index}:${kind}`,
      files: (index) => `FILES(?${index})`,
      cut: (limit, offset) => `FROM ${offset} TAKE ${limit}`,
      once: 'ONCE',
      absent: (kind) => `ABSENT(${kind})`,
      selected: (column, kind) => `EXACT(${column}, ${kind})`,
      sum: (column) => `TOTAL(${column})`,
      sumOffloadedBytes: (column, price) => `BYTES(${column}, ${price})`,
      withStep: (rows, column, index) => `STEPS(${rows}, ${column}, ?${index})`,
      prices: (file, price) => `PRICES(?${file}, ?${price})`,
    }
    const rows = { resource: iotRewardShares, where: [from], columns: ['amount'], limit: 5, offset: 10 }
    expect(compileRows(rows, files, other).text).toBe(
      line(`
        SELECT EXACT(\`amount\`, amount) AS \`amount\`
        FROM (SELECT \`amount\`, \`end_period\`, \`reward_type\`, \`source_file\`, \`hotspot_key\`, \`ordinal\`
        FROM FILES(?0) WHERE \`end_period\` >= ?1:instant) own
        ORDER BY own.\`end_period\` ASC NULLS FIRST, own.\`reward_type\` ASC NULLS FIRST, own.\`source_file\` ASC NULLS FIRST,
        own.\`hotspot_key\` ASC NULLS FIRST, own.\`ordinal\` ASC NULLS FIRST FROM 10 TAKE 5
      `),
    )
    const sums = { a: { column: 'amount', as: 'amount' } } as const
    const plan = {
      resource: iotRewardShares,
      where: [from],
      sums,
      groupBy: ['reward_type'],
      prices: new Map(),
    }
    expect(compileSums(plan, files, other).text).toBe(
      line(`
        SELECT EXACT(\`reward_type\`, choice) AS \`reward_type\`, TOTAL(\`amount\`) AS \`a\` FROM FILES(?0)
        WHERE \`end_period\` >= ?1:instant GROUP BY \`reward_type\`
      `),
    )
  })
})
