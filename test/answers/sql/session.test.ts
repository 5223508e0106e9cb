import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { askSql, openSqlSession, rowsOf } from '../../support/servers/ask-sql.ts'
import { openConfinedLake } from '../../support/servers/confined-lake.ts'
import { some } from '../../support/some.ts'
import { networks } from '../../support/specified.ts'
import { makeFolder } from '../../support/temporary-folder.ts'

let lake: string
let remove: () => Promise<void>
let at: Snapshot
let session: SqlSession

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  lake = join(made.folder, 'lake')
  await copySmallLake(lake)
  at = await (await openLake(lake)).latest()
  session = await openSqlSession(lake, at)
})
afterAll(async () => {
  await session.close()
  await remove()
})

const ask = (statement: string) => rowsOf(session, statement)
const messageOf = async (statement: string) =>
  await ask(statement).then(
    () => '',
    (error: Error) => error.message,
  )

describe('SQL of analysts', () => {
  it.each([
    'with recursive t(n) as (select 1 union all select n + 1 from t where n < 5) select sum(n) from t',
    'select x.a, y.b from (values (1)) x(a), lateral (select x.a + 1 as b) y',
    'select * from iot_rewards tablesample 10% limit 1',
    'select list_transform([1, 2], lambda x: x + 1), [x * 2 for x in [1, 2] if x > 1], struct_pack(a := 1)',
    'select grouping(token), count(*) filter (where earned > 0), quantile_cont(earned, 0.5) from iot_rewards group by cube (token)',
    'select m.* exclude (name) from main.makers m limit 1',
    "select columns('.*_amount') from iot_rewards limit 1",
    "select date_trunc('week', end_period), extract(year from end_period), end_period at time zone 'Europe/Berlin' from iot_rewards limit 1",
    "select case when true then 2 end, coalesce(null, 1), nullif(1, 1), try_cast('x' as int), 'a' like '%', 'a' ilike 'A', 'a' similar to 'a'",
    'select lag(usd) over (partition by token order by day rows between 3 preceding and current row) from iot_rewards limit 1',
    'from iot_rewards select token, sum(earned) group by all having sum(earned) > 0 order by all limit 5 offset 1',
    'select distinct on (token) token, day from iot_rewards order by token, day',
    'select h.name from hotspots h join makers m on h.maker_id = m.id where exists (from iot_rewards r where r.hotspot_key = h.ecc_key)',
    'select unnest(written_files) from reward_manifests limit 1',
    'from generate_series(1, 3) union all (select 1 except select 2)',
    "from (pivot iot_rewards on token in ('iot_reward_token_iot') using sum(earned) group by day) limit 1",
    'unpivot (select 1 a, 2 b) on a, b into name n value v',
    "select fields::json->'x', json_extract(fields, '$.a') from l1_transactions limit 1",
    "select array_agg(day order by day desc), string_agg(distinct token, ','), max_by(token, day) from iot_rewards",
    'select 1 as a, 2 as a -- alike',
    'summarize makers',
    'describe select 1',
    'values (1), (2);',
  ])('%s is answered', async (statement) => {
    expect((await ask(statement)).length).toBeGreaterThanOrEqual(0)
  })

  it('lists tables and columns with their descriptions', async () => {
    const tables = await ask('SHOW TABLES')
    expect(tables).toHaveLength(resources.length + networks.length + 5)
    expect(tables).toContainEqual(['makers', 'A maker of hotspots.'])
    expect(await ask('DESCRIBE makers')).toContainEqual([
      'dao',
      'VARCHAR',
      'Address of the organisation it belongs to.',
    ])
    const rewards = await ask('describe iot_rewards')
    expect(some(rewards).filter(([, , comment]) => !comment)).toEqual([])
  })

  it('names the snapshot that it shows', async () => {
    expect(await ask('FROM lake_snapshot')).toEqual([[at.id]])
  })

  it('keeps the order of the statement', async () => {
    const found = await ask('SELECT i FROM range(100000) r(i) ORDER BY i DESC')
    expect(found.map(([i]) => Number(i))).toEqual(Array.from({ length: 100_000 }, (_, i) => 99_999 - i))
  })

  it('opens only the files of the requested months', async () => {
    const { files } = at.table(iotRewardShares)
    const confined = await openConfinedLake(at, 'tables')
    const plan = await confined.send(
      "EXPLAIN SELECT sum(beacon_amount) FROM iot_rewards WHERE month = '2025-02'",
    )
    confined.close()
    expect(files).toHaveLength(2)
    expect(String(plan[0]?.explain_value)).toContain('Scanning Files: 1/2')
  })
})

describe('a lake in a folder whose name has =, [], * and a quote', () => {
  it('has its own months only', async () => {
    const made = await makeFolder()
    const folder = join(made.folder, "month=2020-01 [a]*'", 'lake')
    await copySmallLake(folder)
    const months =
      "select month, count(*), min(strftime(end_period, '%Y-%m')) from iot_rewards group by all order by all"
    const own = await askSql(folder, months)
    expect(own.map(([month]) => month)).toEqual(['2025-01', '2025-02'])
    expect(own).toEqual(await ask(months))
    expect(own.filter(([month, , first]) => month !== first)).toEqual([])
    await made.remove()
  })
})

describe('an error', () => {
  it.each([
    ['selec 1', 'Parser Error: syntax error at or near "selec"\n\nLINE 1: selec 1\n        ^'],
    ["select 'ä' x y", `LINE 1: select 'ä' x y\n${' '.repeat(21)}^`],
    [
      'select 1\n  from makers where nam = 1',
      /^Binder Error: Referenced column "nam" not found[\s\S]*LINE 2: {3}from makers where nam = 1\n {28}\^$/,
    ],
    [
      "select 1 a,\n  'x'::int",
      /^Conversion Error: Could not convert string 'x' to INT32\n\nLINE 2: {3}'x'::int\n {13}\^$/,
    ],
    ['select * from maker', 'There is no table "maker" here; did you mean makers.'],
    ['select $1', 'The statement has 1 parameter, and 0 values are given.'],
    ['', /^There is no statement/],
  ])('of %j is reported with its position', async (statement, message) => {
    if (message instanceof RegExp) expect(await messageOf(statement)).toMatch(message)
    else expect(await messageOf(statement)).toContain(message)
  })

  it('of an exploding type names the column and the length of its type', async () => {
    const steps = Array.from(
      { length: 12 },
      (_, step) => `t${step + 1} as (select {a: s, b: s} s from t${step})`,
    )
    const message = await messageOf(`with t0 as (select 1 s), ${steps.join(', ')} select s from t12`)
    expect(message).toMatch(/^The type of column s has \d{6} characters; use a type of at most 10000\.$/)
  })

  it('of too many columns names their number', async () => {
    const message = await messageOf(`select ${Array.from({ length: 1001 }, () => '1').join(', ')}`)
    expect(message).toBe('The result has 1001 columns; select at most 1000.')
  })

  it('in the middle of a stream rejects the read', async () => {
    const checked = await session.check("select if(i < 1000000, i, ('x' || i)::int) from range(1000001) r(i)")
    let rows = 0
    const read = async () => {
      for await (const some of session.rows(checked)) rows += some.length
    }
    await expect(read()).rejects.toThrow("Could not convert string 'x1000000' to INT32")
    expect(rows).toBeGreaterThan(0)
    expect(await ask('select 1')).toEqual([['1']])
  })

  it('of an aborted statement is the reason of its signal', async () => {
    const cancel = new AbortController()
    const checked = await session.check('select max(md5(i::varchar)) from range(100000000000) r(i)')
    const read = async () => {
      for await (const _ of session.rows(checked, cancel.signal)) expect.fail('there is a row')
    }
    setTimeout(() => cancel.abort(new Error('cancelled')), 50)
    await expect(read()).rejects.toThrow('cancelled')
    expect(await ask('select 1')).toEqual([['1']])
  })

  it('of a data file names the file within the lake', async () => {
    const other = await makeFolder()
    await copySmallLake(other.folder)
    const [file] = (await (await openLake(other.folder)).latest()).table(iotRewardShares).files
    const opened = await openSqlSession(other.folder)
    rmSync(file?.path ?? '')
    const error = await rowsOf(opened, 'select sum(beacon_amount) from iot_reward_shares').catch(
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ code: 'lake_damaged' })
    expect(error.message).toContain('iot_reward_shares/month=2025-01/part-')
    expect(error.message).not.toContain(other.folder)
    await opened.close()
    await other.remove()
  })
})

describe('a Parquet file', () => {
  it('holds 128-bit integers and decimals exactly, and columns of one name apart', async () => {
    const path = await session.parquet(
      await session.check(
        "select 9007199254740993::hugeint a, 1.5::decimal(38,16) a, [1::hugeint] l, null n, 'x' t",
      ),
    )
    const connection = await (await DuckDBInstance.create()).connect()
    const reader = await connection.runAndReadAll(
      `SELECT typeof(a), a::VARCHAR, a_1::VARCHAR, typeof(l), n, t FROM read_parquet('${path}')`,
    )
    expect(reader.getRowsJS()).toEqual([
      ['DECIMAL(38,0)', '9007199254740993', '1.5000000000000000', 'DECIMAL(38,0)[]', null, 'x'],
    ])
    connection.closeSync()
  })
})
