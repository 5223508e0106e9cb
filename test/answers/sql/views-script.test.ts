import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedViews } from '../../../src/answers/sql/views/lake-views.ts'
import { filesOfSnapshot } from '../../../src/answers/sql/views/snapshot-files.ts'
import {
  type ScriptEngine,
  scriptEngines,
  writeViewsScript,
} from '../../../src/answers/sql/views/views-script.ts'
import { isReward } from '../../../src/catalog/records/flat-columns.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let at: Snapshot
beforeAll(async () => {
  at = await new Lake(await smallLake()).latest()
})

const place = { catalog: 'lake', tables: 'default', location: "/srv/o'lake", schema: 'views' }
const statementsOf = (engine: ScriptEngine, of = at) =>
  writeViewsScript(engine, of, place)
    .split('\n')
    .filter((line) => !line.startsWith('--'))
    .join('\n')
    .split(';\n')
    .filter((statement) => statement !== '')
const quote: Readonly<Record<ScriptEngine, string>> = { trino: '"', spark: '`', clickhouse: '`' }
const statementOf = (engine: ScriptEngine, view: string, of = at) => {
  const [statement = '', ...others] = statementsOf(engine, of).filter(
    (one) =>
      one.startsWith('CREATE OR REPLACE VIEW') &&
      one.split(' AS SELECT ')[0]?.includes(`${quote[engine]}${view}${quote[engine]}`),
  )
  expect(others).toEqual([])
  return statement
}

describe('a view over a table', () => {
  const list = (mark: string) =>
    'source_file ordinal block transaction_hash time gateway_address num_packets num_dcs month'
      .split(' ')
      .map((column) => `${mark}${column}${mark}`)
      .join(', ')
  const doc = 'Packets that a gateway carried, as one state channel of the L1 ledger summed them.'

  it('is written for Trino, with a comment on each column', () => {
    expect(statementOf('trino', 'l1_packets')).toBe(
      `CREATE OR REPLACE VIEW "lake"."views"."l1_packets" COMMENT '${doc}' AS SELECT ${list('"')} FROM "lake"."default"."l1_packets"`,
    )
    expect(statementsOf('trino')).toContain(`COMMENT ON COLUMN "lake"."views"."makers"."name" IS 'Name.'`)
  })

  it('is written for Spark, with a comment on each column', () => {
    const statement = statementOf('spark', 'l1_packets')
    expect(statement).toContain("`month` COMMENT 'Month of time, YYYY-MM.')")
    expect(statement.replace(/ \(.*\) COMMENT/, ' (…) COMMENT')).toBe(
      `CREATE OR REPLACE VIEW \`views\`.\`l1_packets\` (…) COMMENT '${doc}' AS SELECT ${list('`')} FROM delta.\`/srv/o'lake/l1_packets\``,
    )
  })

  it('is written for ClickHouse, with the path as a literal', () => {
    expect(statementOf('clickhouse', 'l1_packets')).toBe(
      `CREATE OR REPLACE VIEW \`views\`.\`l1_packets\` AS SELECT ${list('`')} FROM deltaLakeLocal('/srv/o\\'lake/l1_packets') COMMENT '${doc}'`,
    )
  })

  it("builds Trino's instants from nanoseconds, because Trino would round them", () => {
    expect(statementOf('trino', 'iot_witness_ingest_reports')).toContain(
      ', from_unixtime_nanos("reported_ns" - "reported_ns" % 1000) AS "reported_at", ',
    )
  })

  it('is empty while the table does not exist, and the header of the file says so', async () => {
    const { folder } = await makeLake({
      'iot_reward_share.1.gz': [iotReward('2025-01-02', 1, { beacon_amount: 1n })],
    })
    const young = await new Lake(folder).latest()
    expect(statementOf('trino', 'makers', young)).toMatch(
      / AS SELECT CAST\(NULL AS VARCHAR\) AS "id", .* WHERE false$/,
    )
    expect(statementOf('clickhouse', 'reward_manifests', young)).toContain(
      'CAST([] AS Array(String)) AS `written_files`, ',
    )
    expect(writeViewsScript('spark', young, place)).toMatch(
      /^-- Tables that have no data yet, .*: mobile_reward_shares, /m,
    )
  })
})

/** How the pay of a share for beacons, in whole tokens, and the USD of a share are computed; the rest of the views is the same SQL. */
const money: Readonly<Record<ScriptEngine, readonly string[]>> = {
  trino: [
    'CAST(CAST(s."beacon_amount" AS DECIMAL(20,0)) * m."unit" AS DECIMAL(28,8)) AS "formatted_beacon_amount"',
    '* m."unit" AS DECIMAL(28,8)) * (CASE WHEN m.price < 100000000000000 THEN m.price_usd END) AS DECIMAL(38,16)) AS "usd"',
  ],
  spark: [
    'CAST(CAST(s.`beacon_amount` AS DECIMAL(20,0)) * m.`unit` AS DECIMAL(28,8)) AS `formatted_beacon_amount`',
    'CAST((CASE WHEN m.price < 100000000000000 THEN m.price_usd END) AS DECIMAL(14,6)) AS DECIMAL(38,16)) WHEN 0.00000001 THEN CAST(',
    'CAST((CASE WHEN m.price < 100000000000000 THEN m.price_usd END) AS DECIMAL(14,8)) AS DECIMAL(38,16)) END AS DECIMAL(38,16)) AS `usd`',
  ],
  clickhouse: [
    'CAST(CAST(s.`beacon_amount` AS Nullable(Decimal(20, 0))) * m.`unit` AS Nullable(Decimal(28, 8))) AS `formatted_beacon_amount`',
    '* (CASE WHEN m.price < 100000000000000 THEN m.price_usd END) AS Nullable(Decimal(38, 16))) AS `usd`',
  ],
}

describe.each(scriptEngines)('the views for %s', (engine) => {
  it('compute whole tokens and USD from decimals, without a double', () => {
    for (const expression of some(money[engine]))
      expect(statementOf(engine, 'iot_rewards')).toContain(expression)
    expect(writeViewsScript(engine, at, place)).not.toMatch(/\b(double|float|float64|real)\b/i)
  })

  it('have the columns of the views of DuckDB, apart from the snapshot', () => {
    const named = (view: string) => {
      const [, select = ''] = statementOf(engine, view).split(' AS SELECT ')
      return [
        ...(select.split(/ FROM | WHERE false/)[0] ?? '').matchAll(
          /(?:^|, |AS )(?:\w\.)?[`"](\w+)[`"](?=,|$)/g,
        ),
      ].map(([, name]) => name)
    }
    const views = sharedViews(filesOfSnapshot(at)).filter(({ name }) => name !== 'lake_snapshot')
    expect(some(views).length).toBe(resources.length + resources.filter(isReward).length + 3)
    for (const { name, columns } of views)
      expect(named(name), name).toEqual(columns.map((column) => column.name))
    const created = statementsOf(engine).filter((statement) => statement.startsWith('CREATE OR REPLACE VIEW'))
    expect(created.length).toBe(views.length)
  })

  it('have whole tokens for every amount that a hotspot may be paid', () => {
    for (const resource of some(resources.filter(isReward))) {
      const statement = statementOf(engine, resource.name.replace('_shares', 's'))
      for (const column of some(resource.earned ?? []))
        expect(statement).toMatch(new RegExp(`AS .formatted_${column}.,`))
    }
  })
})

describe('ledgerlake views --for', () => {
  it('prints the statements, or writes them to a file that it replaces, and no other', async () => {
    const cwd = await temporaryFolder()
    const lake = await smallLake()
    const run = (...words: string[]) => runMain(['views', '--lake', lake, ...words], { cwd })
    const printed = await run('--for', 'spark', '--location', 's3a://bucket/lake/')
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(printed.stdout).toContain('FROM delta.`s3a://bucket/lake/makers`')
    expect(printed.stdout).toContain('CREATE SCHEMA IF NOT EXISTS `ledgerlake`;\n')
    const out = [
      '--for',
      'trino',
      '--trino-catalog',
      'delta',
      '--trino-schema',
      'net',
      '--views-schema',
      'own',
      '--out',
      'v.sql',
    ]
    expect((await run(...out)).stdout).toBe(
      'v.sql has the views for trino; they show the newest version of the tables.\n',
    )
    expect((await run(...out)).code).toBe(0)
    const file = join(cwd, 'v.sql')
    expect(readFileSync(file, 'utf8')).toContain(' FROM "delta"."net"."makers";\n')
    expect(readFileSync(file, 'utf8')).toContain('CREATE OR REPLACE VIEW "delta"."own"."makers" ')
    writeFileSync(file, 'select 1;')
    expect(await run(...out)).toMatchObject({ code: 2, stdout: '' })
    expect(readFileSync(file, 'utf8')).toBe('select 1;')
  })

  it.each([
    [['--for', 'duckdb'], 'name it with --out'],
    [['--for', 'trino', '--location', '/srv/lake'], '--location is for spark and clickhouse'],
    [['--for', 'spark', '--location', 'lake'], 'use an absolute path such as /srv/lake'],
    [['--out', 'x.duckdb', '--views-schema', 'own'], '--views-schema is not for duckdb'],
    [['--for', 'spark', '--views-schema', 'Own'], 'Use lower-case letters'],
    [['--for', 'oracle'], 'Allowed choices are duckdb, trino, spark, clickhouse'],
  ])('refuses %j', async (words, sentence) => {
    const { code, stderr } = await runMain(['views', '--lake', await smallLake(), ...words])
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
  })
})
