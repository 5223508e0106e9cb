import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { type Message, RawClient, rowIn, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

let client: RawClient

beforeAll(async () => {
  const { port } = await openPostgres(await smallLake())
  client = await RawClient.open(port)
  await client.start()
})

/** A value as text, in binary, and the type of its column. */
async function shown(expression: string) {
  const messages = await client.ask(
    send.parse('', `select ${expression} as v`),
    ...[send.bind('', ''), send.describe('P'), send.execute()],
    ...[send.bind('', '', [], { results: [1] }), send.execute(), send.sync()],
  )
  const [text, binary] = messages.filter(({ type }) => type === 'D').map((row) => rowIn(row)[0])
  const { body } = messages.find(({ type }) => type === 'T') as Message
  // After the name: table, column, type, size, modifier.
  const at = 2 + 'v\0'.length + 4 + 2
  return [text?.toString(), binary?.toString('hex'), body.readInt32BE(at), body.readInt32BE(at + 6)]
}

it('columns of calls without an alias have the names that PostgreSQL 15 gives them', async () => {
  const names = async (statement: string) => {
    const [{ body } = { body: Buffer.alloc(0) }] = (await client.ask(send.query(statement))).filter(
      ({ type }) => type === 'T',
    )
    return [
      ...body
        .subarray(2)
        .toString('latin1')
        .matchAll(/([^\0]*)\0[\s\S]{18}/g),
    ].map(([, name]) => name)
  }
  const calls = `count(*), count(*), sum(1), max(1) over (partition by 2), count(*) filter (where 1 > 0), coalesce(null, 1),
    case when true then 1 end, upper('a'), now()::date, exists(select 1), row_number() over (), date_trunc('day', now()), nullif(1, 2)`
  const called = 'count count sum max count coalesce case upper now exists row_number date_trunc nullif'
  expect(await names(`select ${calls}`)).toEqual(called.split(' '))
  expect(await names('select 1 as "count_star", 2 as "Sum"')).toEqual(['count_star', 'Sum'])
})

/** Types and bytes written down from PostgreSQL's pg_type.dat and its send functions. */
describe('a value', () => {
  it.each([
    ['true', 't', '01', 16, -1],
    ['(-2)::smallint', '-2', 'fffe', 21, -1],
    ['2147483647', '2147483647', '7fffffff', 23, -1],
    ['(-9223372036854775808)::bigint', '-9223372036854775808', '8000000000000000', 20, -1],
    [
      '18446744073709551616::hugeint',
      '18446744073709551616',
      '000500040000000007341a5802e103bb0650',
      1700,
      2_555_908,
    ],
    [
      '340282366920938463463374607431768211455::uhugeint',
      '340282366920938463463374607431768211455',
      undefined,
      1700,
      2_555_908,
    ],
    ['12345.678::decimal(18,3)', '12345.678', '0003000100000003000109291a7c', 1700, (18 << 16) + 3 + 4],
    ['(-0.0001)::decimal(9,4)', '-0.0001', '0001ffff400000040001', 1700, (9 << 16) + 8],
    ['0::decimal(38,0)', '0', '0000000000000000', 1700, (38 << 16) + 4],
    ['10000::decimal(9,0)', '10000', '00010001000000000001', 1700, (9 << 16) + 4],
    ["'inf'::float", 'Infinity', '7f800000', 700, -1],
    ["'nan'::double", 'NaN', '7ff8000000000000', 701, -1],
    ['1.5::double', '1.5', '3ff8000000000000', 701, -1],
    ["'é'", 'é', 'c3a9', 25, -1],
    ["'\\x00a\\xFF'::blob", '\\x0061ff', '0061ff', 17, -1],
    ["date '2000-01-02'", '2000-01-02', '00000001', 1082, -1],
    ["date '1999-12-31'", '1999-12-31', 'ffffffff', 1082, -1],
    ["date '0044-03-15 (BC)'", '0044-03-15 BC', undefined, 1082, -1],
    ["'infinity'::date", 'infinity', '7fffffff', 1082, -1],
    ["time '00:00:01.5'", '00:00:01.5', '000000000016e360', 1083, -1],
    ["timestamp '2000-01-01 00:00:01.5'", '2000-01-01 00:00:01.5', '000000000016e360', 1114, -1],
    [
      "timestamptz '1999-12-31 23:59:59.999999+00'",
      '1999-12-31 23:59:59.999999+00',
      'ffffffffffffffff',
      1184,
      -1,
    ],
    ["timestamptz '2000-01-01 02:00:00+02'", '2000-01-01 00:00:00+00', '0000000000000000', 1184, -1],
    ["'-infinity'::timestamptz", '-infinity', '8000000000000000', 1184, -1],
    [
      "interval '14 months 3 days 1 second'",
      '1 year 2 mons 3 days 00:00:01',
      '00000000000f4240000000030000000e',
      1186,
      -1,
    ],
    [
      "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid",
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      'a0eebc999c0b4ef8bb6d6bb9bd380a11',
      2950,
      -1,
    ],
    ['[1, null]', '{1,NULL}', '00000001000000010000001700000002000000010000000400000001ffffffff', 1007, -1],
    ["['a b', 'null', '', 'c\"']", '{"a b","null","","c\\""}', undefined, 1009, -1],
    ['[]::varchar[]', '{}', '000000000000000000000019', 1009, -1],
    ['[99999999999999999999::hugeint]', '{99999999999999999999}', undefined, 1231, 2_555_908],
    [
      "{'a': 1, 'b': [18446744073709551616::hugeint]}",
      '{"a":1,"b":[18446744073709551616]}',
      undefined,
      114,
      -1,
    ],
    ['null', undefined, undefined, 23, -1],
  ] as const)('%s is %s as text, and %s in binary', async (expression, text, binary, oid, modifier) => {
    const [itsText, itsBinary, itsOid, itsModifier] = await shown(expression)
    expect([itsText, itsOid, itsModifier]).toEqual([text, oid, modifier])
    if (binary !== undefined) expect(itsBinary).toBe(binary)
  })

  it('of a result without rows keeps its type', async () => {
    const messages = await client.ask(send.query('select 1::hugeint as a, now() as b where false'))
    expect(messages.map(({ type }) => type).join('')).toBe('TCZ')
    expect(messages[1]?.body.toString()).toBe('SELECT 0\0')
  })
})

describe('a parameter', () => {
  const back = async (type: string, oid: number, value: string | Buffer, format: number) => {
    const messages = await client.ask(
      send.parse('', `select $1::${type} as v`, [oid]),
      send.bind('', '', [value], { formats: [format] }),
      ...[send.execute(), send.sync()],
    )
    const row = messages.find(({ type }) => type === 'D')
    return row === undefined ? messages : rowIn(row)[0]?.toString()
  }
  const hex = (digits: string) => Buffer.from(digits, 'hex')

  it.each([
    ['decimal(38,3)', 1700, '0003000100000003000109291a7c', '12345.678'],
    ['hugeint', 1700, '000500040000000007341a5802e103bb0650', '18446744073709551616'],
    ['date', 1082, 'ffffffff', '1999-12-31'],
    ['timestamptz', 1184, 'ffffffffffffffff', '1999-12-31 23:59:59.999999+00'],
    ['timestamp', 1114, '7fffffffffffffff', 'infinity'],
    ['boolean', 16, '00', 'f'],
    ['blob', 17, '00ff', '\\x00ff'],
    ['uuid', 2950, 'a0eebc999c0b4ef8bb6d6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['interval', 1186, '00000000000f4240000000030000000e', '1 year 2 mons 3 days 00:00:01'],
  ])('of %s arrives from its binary form', async (type, oid, digits, text) => {
    expect(await back(type, oid, hex(digits), 1)).toBe(text)
  })

  it('that is malformed is refused with its number', async () => {
    const messages = await client.ask(
      send.parse('', 'select $1::bigint', [20]),
      send.bind('', '', [hex('00')], { formats: [1] }),
      ...[send.execute(), send.sync()],
    )
    expect(String(messages.find(({ type }) => type === 'E')?.body)).toContain(
      'C22P03\0MParameter $1 is not of the type int8',
    )
  })
})
