import { beforeAll, describe, expect, it } from 'vitest'
import { oidOfTable } from '../../../src/answers/sql/postgres-catalog/catalog-rows.ts'
import { resources } from '../../../src/catalog/resources.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { RawClient, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

let client: RawClient

beforeAll(async () => {
  const { port } = await openPostgres(await smallLake())
  client = await RawClient.open(port)
  await client.start()
})

describe('the catalog', () => {
  it('lists tables and views as psql does by \\d', async () => {
    const rows = await client.rows(`SELECT n.nspname as "Schema", c.relname as "Name",
      CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' END as "Type", pg_catalog.pg_get_userbyid(c.relowner) as "Owner"
      FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r','p','v','m','S','f','') AND n.nspname <> 'pg_catalog' AND n.nspname !~ '^pg_toast'
      AND n.nspname <> 'information_schema' AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1,2`)
    const tables = rows.filter(([, , type]) => type === 'table').map(([, name]) => name)
    expect(tables).toEqual(resources.map(({ name }) => name).sort())
    expect(rows).toContainEqual(['public', 'iot_rewards', 'view', 'ledgerlake'])
  })

  it('finds a table by the operators and collations of psql', async () => {
    const found = await client.rows(`SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class c
      LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relname OPERATOR(pg_catalog.~) '^(hotspots)$' COLLATE pg_catalog.default
      AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 2, 3`)
    expect(found).toEqual([[String(oidOfTable('hotspots')), 'public', 'hotspots']])
    const columns = await client.rows(`SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
      pg_catalog.col_description(a.attrelid, a.attnum) FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = '${found[0]?.[0]}' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`)
    expect(columns.slice(0, 1)).toEqual([['id', 'text', expect.stringMatching(/\w+/)]])
    expect(columns.map(([name, type]) => `${name} ${type}`)).toContain('networks text[]')
  })

  it('gives the columns of a key as the JDBC driver reads them', async () => {
    const rows =
      await client.rows(`SELECT result.TABLE_NAME, result.COLUMN_NAME, result.KEY_SEQ FROM (SELECT ct.relname AS TABLE_NAME, a.attname AS COLUMN_NAME,
      (information_schema._pg_expandarray(i.indkey)).n AS KEY_SEQ, information_schema._pg_expandarray(i.indkey) AS KEYS, a.attnum AS A_ATTNUM
      FROM pg_catalog.pg_class ct JOIN pg_catalog.pg_attribute a ON (ct.oid = a.attrelid) JOIN pg_catalog.pg_namespace n ON (ct.relnamespace = n.oid)
      JOIN pg_catalog.pg_index i ON (a.attrelid = i.indrelid) JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid)
      WHERE true AND n.nspname = 'public' AND ct.relname = 'makers' AND i.indisprimary) result
      WHERE result.A_ATTNUM = (result.KEYS).x ORDER BY result.table_name, result.KEY_SEQ`)
    expect(rows).toEqual([['makers', 'address', '1']])
  })

  it('has no index besides the key, as SQLAlchemy 1.4 asks for Superset', async () => {
    const rows =
      await client.rows(`SELECT i.relname as relname, ix.indisunique, ix.indexprs, a.attname, a.attnum, c.conrelid, ix.indkey::varchar,
      ix.indoption::varchar, i.reloptions, am.amname, pg_get_expr(ix.indpred, ix.indrelid), ix.indnkeyatts as indnkeyatts
      FROM pg_class t join pg_index ix on t.oid = ix.indrelid join pg_class i on i.oid = ix.indexrelid
      left outer join pg_attribute a on t.oid = a.attrelid and a.attnum = ANY(ix.indkey)
      left outer join pg_constraint c on (ix.indrelid = c.conrelid and ix.indexrelid = c.conindid and c.contype in ('p', 'u', 'x'))
      left outer join pg_am am on i.relam = am.oid
      WHERE t.relkind IN ('r', 'v', 'f', 'm', 'p') and t.oid = ${oidOfTable('makers')} and ix.indisprimary = 'f' ORDER BY t.relname, i.relname`)
    expect(rows).toEqual([])
  })

  it('gives keys as the ODBC driver reads them, with vectors counted from 0 and a series in rows', async () => {
    const keys =
      await client.rows(`select ta.attname, ia.attnum, ic.relname, n.nspname, tc.relname from pg_catalog.pg_attribute ta, pg_catalog.pg_attribute ia,
      pg_catalog.pg_class tc, pg_catalog.pg_index i, pg_catalog.pg_namespace n, pg_catalog.pg_class ic where tc.relname = 'makers' AND n.nspname = 'public'
      AND tc.oid = i.indrelid AND n.oid = tc.relnamespace AND i.indisprimary = 't' AND ia.attrelid = i.indexrelid AND ta.attrelid = i.indrelid
      AND ta.attnum = i.indkey[ia.attnum-1] AND (NOT ta.attisdropped) AND (NOT ia.attisdropped) AND ic.oid = i.indexrelid order by ia.attnum`)
    expect(keys).toEqual([['address', '1', 'makers_pkey', 'public', 'makers']])
    const columns = (kind: string) =>
      client.rows(`select c1.relname, a1.attname, i::int2 from ((select conrelid, conkey, generate_series(array_lower(conkey, 1), array_upper(conkey, 1)) as i
        from pg_catalog.pg_constraint cn, pg_catalog.pg_class c where contype = '${kind}' and conrelid = c.oid and relname = 'makers') ref
        inner join pg_catalog.pg_class c1 on c1.oid = ref.conrelid)
        inner join pg_catalog.pg_attribute a1 on a1.attrelid = c1.oid and a1.attnum = conkey[i] order by i`)
    expect(await columns('p')).toEqual([['makers', 'address', '1']])
    expect(await columns('f')).toEqual([])
  })

  it('tells types from arrays by their functions, as ADBC, Npgsql and JDBC do', async () => {
    const adbc = await client.rows(
      "SELECT oid, typname, typreceive, typbasetype, typrelid, typarray FROM pg_catalog.pg_type WHERE (typreceive != 0 OR typsend != 0) AND typtype != 'r' AND typreceive::TEXT != 'array_recv'",
    )
    expect(adbc).toContainEqual(['23', 'int4', 'int4recv', '0', '0', '1007'])
    expect(adbc).toContainEqual(['1184', 'timestamptz', 'timestamptz_recv', '0', '0', '1185'])
    expect(adbc.map(([, name]) => name)).not.toContain('_int4')
    const npgsql =
      await client.rows(`SELECT typ.oid, CASE WHEN proc.proname='array_recv' THEN 'a' ELSE typ.typtype END AS typtype,
      CASE WHEN proc.proname='array_recv' THEN typ.typelem WHEN typ.typtype='r' THEN rngsubtype WHEN typ.typtype='d' THEN typ.typbasetype END AS elemtypoid
      FROM pg_type AS typ LEFT JOIN pg_class AS cls ON (cls.oid = typ.typrelid) LEFT JOIN pg_proc AS proc ON proc.oid = typ.typreceive
      LEFT JOIN pg_range ON (pg_range.rngtypid = typ.oid) WHERE typ.typname IN ('text', '_text') ORDER BY typ.oid`)
    expect(npgsql).toEqual([
      ['25', 'b', null],
      ['1009', 'a', '25'],
    ])
    const jdbc = await client.rows(
      "SELECT typinput='pg_catalog.array_in'::regproc as is_array, typtype, typname FROM pg_catalog.pg_type WHERE oid IN (1009, 25) ORDER BY oid",
    )
    expect(jdbc).toEqual([
      ['f', 'b', 'text'],
      ['t', 'b', '_text'],
    ])
  })

  it('joins comments by the table of a row, as DBD::Pg does', async () => {
    const rows =
      await client.rows(`SELECT c.relname, d.description IS NOT NULL FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_description AS d
      ON (c.oid = d.objoid AND c.tableoid = d.classoid AND d.objsubid = 0) LEFT JOIN pg_catalog.pg_namespace n ON (n.oid = c.relnamespace) WHERE c.relname = 'earnings'`)
    expect(rows).toEqual([['earnings', 't']])
  })

  it('has no indexes among the tables of information_schema', async () => {
    const names = await client.rows(
      "select table_name from information_schema.tables where table_schema = 'public' order by 1",
    )
    const relations =
      "select relname from pg_class where relnamespace = 2200 and relkind in ('r', 'v') order by 1"
    expect(names).toEqual(await client.rows(relations))
    expect(names).toContainEqual(['makers'])
  })

  it('describes an array of oids as such, which asyncpg sends in binary', async () => {
    const text = 'select t.oid from unnest($1::oid[]) as u(oid) join pg_type t using (oid)'
    const messages = await client.ask(send.parse('', text), send.describe('S'), send.sync())
    const types = messages.find(({ type }) => type === 't')
    expect(types?.body.readInt32BE(2)).toBe(1028)
  })

  it('has names and oids of tables and types', async () => {
    const [row] = await client.rows(
      "select 'public.hotspots'::regclass::oid, c.oid::pg_catalog.regclass, 20::regtype, 'bigint'::regtype::oid from pg_class c where c.oid = 'hotspots'::regclass",
    )
    expect(row).toEqual([String(oidOfTable('hotspots')), 'hotspots', 'bigint', '20'])
  })

  it('describes columns in information_schema, with precision, scale and keys', async () => {
    expect(
      await client.rows(
        "select data_type, numeric_precision, numeric_scale, udt_name from information_schema.columns where table_schema = 'public' and table_name = 'iot_rewards' and column_name in ('beacon_amount', 'day', 'price_usd') order by ordinal_position",
      ),
    ).toEqual([
      ['numeric', '20', '0', 'numeric'],
      ['date', null, null, 'date'],
      ['numeric', expect.any(String), '8', 'numeric'],
    ])
    expect(
      await client.rows(
        "select kcu.table_name, kcu.column_name from information_schema.table_constraints tc join information_schema.key_column_usage kcu using (constraint_name) where tc.constraint_type = 'PRIMARY KEY' and kcu.table_name = 'makers'",
      ),
    ).toEqual([['makers', 'address']])
  })

  it('agrees with the results of every table in type and modifier', async () => {
    const attributes = await client.rows(
      'select c.relname, a.atttypid, a.atttypmod from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relnamespace = 2200 and c.relkind <> $$i$$ order by c.relname, a.attnum',
    )
    expect(attributes.length).toBeGreaterThan(100)
    for (const name of new Set(attributes.map(([table]) => table))) {
      const [head] = await client
        .ask(send.parse('', `select * from public.${name}`), send.describe('S'), send.sync())
        .then((messages) => messages.filter(({ type }) => type === 'T'))
      const { body } = head as { body: Buffer }
      const columns: string[] = []
      for (let at = 2; at < body.length; ) {
        at = body.indexOf(0, at) + 7
        columns.push(`${body.readInt32BE(at)} ${body.readInt32BE(at + 6)}`)
        at += 12
      }
      const expected = attributes
        .filter(([table]) => table === name)
        .map(([, type, modifier]) => `${type} ${modifier}`)
      expect([name, columns]).toEqual([name, expected])
    }
  })

  it('gives each table an oid of its own', () => {
    const oids = resources.flatMap(({ name }) => [0, 1, 2].map((more) => oidOfTable(name) + more))
    expect(new Set(oids).size).toBe(oids.length)
  })
})

describe('a statement in the words of PostgreSQL', () => {
  it('reads tables of the schema public, also with the database', async () => {
    expect(await client.rows('select count(public.makers.id) >= 0 from "public"."makers"')).toEqual([['t']])
    expect(await client.rows('select count(*) >= 0 from ledgerlake.public.makers')).toEqual([['t']])
    expect(await client.stateOf('select * from public.nothing_there')).toBe('42P01')
    expect(await client.stateOf('select * from pg_catalog.pg_nothing')).toBe('42P01')
  })

  it.each([
    ["select 'abc' ~ 'b', 'abc' !~ 'x', 'ABC' ~* 'b'", ['t', 't', 't']],
    ["select regexp_full_match('abc', 'b')", ['f']],
    ['select \'pg_catalog.x\', "a"."pg_catalog" from (select 1 as pg_catalog) a', ['pg_catalog.x', '1']],
    ["select 'a' = any('{a,b}'::text[])", ['t']],
    ['select i from generate_series(3, 3) i', ['3']],
    [
      'select array_agg(a.i || coalesce(b.t, $$-$$) order by a.i) from generate_series(1, 3) a(i) left join (select array[1, null, 3] as l, $$t$$ as t) b on a.i = any(b.l) and true',
      ['{1t,2-,3t}'],
    ],
    ['select array_agg(i) from (select generate_series(1, 3) as i)', ['{1,2,3}']],
    [
      "select 5 = any('{1,5}'), date '2025-01-02' = any('{2025-01-03}'), 'r' = any('{r,\"\"}')",
      ['t', 'f', 't'],
    ],
    ["select count(*) from (select 1) a left join (select 'v' as k) b on b.k = any('{v,s}')", ['1']],
    [
      "select 0.000385::numeric = 0.000385, '1.23456'::numeric, cast(1.5 as decimal(18, 1))",
      ['t', '1.23456', '1.5'],
    ],
    ['select max(x::numeric)::text from (select 0.000385 as x)', ['0.0003850000000000']],
    ["select '1.23456'::numeric(18, 3)", ['1.235']],
    ["select '\\x00FF275c'::bytea, octet_length('\\x'::bytea)", ['\\x00ff275c', '0']],
    [`select '{"a": 1}'::jsonb`, ['{"a": 1}']],
    ["select json_build_object('a', 1)", ['{"a":1}']],
    ['select current_database(), current_schema()', ['ledgerlake', 'public']],
    ['select 18446744073709551616 as n, current_user', ['18446744073709551616', 'ledgerlake']],
  ])('%s', async (text, row) => {
    expect(await client.rows(text)).toEqual([row])
  })

  it('cannot read or call more of the engine than another one', async () => {
    for (const text of [
      'select * from duckdb_settings()',
      "select * from pg_catalog_.pg_class, read_csv('/etc/passwd')",
      'select * from system.pg_catalog.pg_class',
      'select pg_read_file($$/etc/passwd$$)',
      'select current_setting(name) from duckdb_secrets()',
      'with pg_class as (select 1) select * from pg_class',
    ])
      expect([text, await client.stateOf(text)]).toEqual([
        text,
        expect.stringMatching(/^(42P01|42883|22000|42704)$/),
      ])
  })
})
