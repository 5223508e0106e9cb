import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { errorIn, RawClient, rowIn, send } from '../../support/postgres/raw-client.ts'
import { openPostgres } from '../../support/postgres/served-postgres.ts'

let port: number

beforeAll(async () => {
  port = (await openPostgres(await smallLake())).port
})

const started = async () => {
  const client = await RawClient.open(port)
  await client.start()
  return client
}
const typesOf = (messages: readonly { type: string }[]) => messages.map(({ type }) => type).join('')

describe('a simple query', () => {
  it('is answered with columns, rows, a tag and the state', async () => {
    const client = await started()
    const messages = await client.ask(send.query("select 1 as a, null as b, 'x' as c"))
    expect(typesOf(messages)).toBe('TDCZ')
    expect(messages[0]?.body.toString('hex', 0, 4)).toBe('00036100')
    expect(rowIn(messages[1] as never).map(String)).toEqual(['1', 'null', 'x'])
    expect(messages[2]?.body.toString()).toBe('SELECT 1\0')
    expect(messages[3]?.body.toString()).toBe('I')
  })

  it('may be empty, or have several statements up to the first error', async () => {
    const client = await started()
    expect(typesOf(await client.ask(send.query('')))).toBe('IZ')
    expect(typesOf(await client.ask(send.query('select 1; select 2; select nothing; select 3')))).toBe(
      'TDCTDCEZ',
    )
    expect(await client.rows('select count(*) from iot_reward_shares where false')).toEqual([['0']])
  })

  it('that fails has a SQLSTATE and the position of the fault in the whole text', async () => {
    const client = await started()
    const [first, error] = (await client.ask(send.query('select 1;  select nowhere'))).filter(({ type }) =>
      'CE'.includes(type),
    )
    expect(first?.type).toBe('C')
    expect(errorIn(error as never)).toMatchObject({ S: 'ERROR', C: '42703', P: '19' })
    for (const [text, state] of [
      ['selec 1', '42601'],
      ['select * from nothing_there', '42P01'],
      ["select 'x'::integer", '22P02'],
      ["select no_such_function('x')", '42883'],
      ['select read_text($$/etc/passwd$$)', '42883'],
      ['insert into iot_reward_shares values (1)', '25006'],
      ['create table t (a int)', '25006'],
      ['copy iot_reward_shares from stdin', '25006'],
      ['begin read write', '0A000'],
      ['listen a', '25006'],
    ] as const)
      expect([text, await client.stateOf(text)]).toEqual([text, state])
  })
})

describe('the extended protocol', () => {
  it('parses, binds, describes and executes with values of both formats', async () => {
    const client = await started()
    const eight = Buffer.alloc(8)
    eight.writeBigInt64BE(2n ** 62n)
    const messages = await client.ask(
      send.parse('s', 'select $1::bigint + 1 as sum, $2 as text', [20, 25]),
      send.describe('S', 's'),
      send.bind('p', 's', [eight, 'x'], { formats: [1, 0] }),
      send.describe('P', 'p'),
      send.execute('p'),
      send.sync(),
    )
    expect(typesOf(messages)).toBe('1tT2TDCZ')
    expect(messages[1]?.body.toString('hex')).toBe('00020000001400000019')
    expect(rowIn(messages[5] as never).map(String)).toEqual([String(2n ** 62n + 1n), 'x'])
  })

  it('suspends a portal at a limit of rows within a transaction, and continues it', async () => {
    const client = await started()
    await client.ask(send.query('begin'))
    const first = await client.ask(
      send.parse('', 'select i from range(5) t(i) order by i'),
      send.bind('p', ''),
      send.execute('p', 2),
      send.sync(),
    )
    expect(typesOf(first)).toBe('12DDsZ')
    const second = await client.ask(send.execute('p', 10), send.sync())
    expect(typesOf(second)).toBe('DDDCZ')
    expect(second.at(-2)?.body.toString()).toBe('SELECT 3\0')
    await client.ask(send.query('commit'))
    expect(typesOf(await client.ask(send.execute('p'), send.sync()))).toBe('EZ')
  })

  it('skips messages after an error up to the next Sync', async () => {
    const client = await started()
    const messages = await client.ask(
      send.parse('', 'select nowhere'),
      send.bind('', ''),
      send.execute(),
      send.sync(),
    )
    expect(typesOf(messages)).toBe('EZ')
    expect(await client.rows('select 1')).toEqual([['1']])
  })
})

describe('a transaction', () => {
  it('fails with its first error, until it ends', async () => {
    const client = await started()
    await client.ask(send.query('begin'))
    expect(await client.stateOf('select nowhere')).toBe('42703')
    expect(await client.stateOf('select 1')).toBe('25P02')
    const end = await client.ask(send.query('commit'))
    expect(end[0]?.body.toString()).toBe('ROLLBACK\0')
    expect(await client.rows('select 1')).toEqual([['1']])
  })

  it('goes back to a savepoint', async () => {
    const client = await started()
    await client.ask(send.query('begin; savepoint a'))
    expect(await client.stateOf('select nowhere')).toBe('42703')
    await client.ask(send.query('rollback to savepoint a'))
    expect(await client.rows('select 1')).toEqual([['1']])
  })

  it('has cursors', async () => {
    const client = await started()
    await client.ask(send.query('begin'))
    await client.ask(send.query('declare c cursor for select i from range(5) t(i) order by i'))
    expect(await client.rows('fetch 2 from c')).toEqual([['0'], ['1']])
    expect(await client.rows('fetch forward all in c')).toEqual([['2'], ['3'], ['4']])
    expect(await client.stateOf('close nothing')).toBe('34000')
  })
})

describe('a cursor with parameters', () => {
  it('takes the values of its declaration, as postgres_fdw sends them', async () => {
    const client = await started()
    await client.ask(send.query('begin'))
    const text =
      'declare c1 cursor for select i from range(5) t(i) where i > $1::bigint and i < $2::numeric order by i'
    const declared = await client.ask(
      send.parse('', text, [0, 0]),
      send.bind('', '', ['1', '3.5']),
      send.describe('P'),
      send.execute(''),
      send.sync(),
    )
    expect(typesOf(declared)).toBe('12nCZ')
    expect(await client.rows('fetch 100 from c1')).toEqual([['2'], ['3']])
    expect(await client.stateOf('declare c2 cursor for select $1::bigint')).toBe('42P02')
  })
})

describe('a cursor WITH HOLD', () => {
  const rows = 'cursor with hold for select i from range(5) t(i) order by i'

  it('outlives the transaction that commits, as the ODBC driver reads by parts', async () => {
    const client = await started()
    await client.ask(send.query(`begin;declare "SQL_CUR1" ${rows};fetch 2 in "SQL_CUR1"`))
    expect(typesOf(await client.ask(send.query('commit')))).toBe('CZ')
    expect(await client.rows('fetch 2 in "SQL_CUR1"')).toEqual([['2'], ['3']])
    await client.ask(send.query('begin; select 1; rollback'))
    expect(await client.rows('fetch all in "SQL_CUR1"')).toEqual([['4']])
    expect(typesOf(await client.ask(send.query('close "SQL_CUR1"')))).toBe('CZ')
    expect(await client.stateOf('fetch 1 in "SQL_CUR1"')).toBe('34000')
  })

  it('may be declared outside of a transaction, and ends with the one that fails', async () => {
    const client = await started()
    await client.ask(send.query(`declare a ${rows}`))
    expect(await client.rows('fetch 1 in a')).toEqual([['0']])
    await client.ask(send.query(`begin; declare b ${rows}; rollback`))
    await client.ask(send.query(`declare c ${rows}; select nowhere`))
    for (const name of ['b', 'c']) expect(await client.stateOf(`fetch 1 in ${name}`)).toBe('34000')
    expect(await client.rows('fetch 1 in a')).toEqual([['1']])
    await client.ask(send.query('close all'))
    expect(await client.stateOf('fetch 1 in a')).toBe('34000')
    expect(await client.stateOf('declare d cursor for select 1')).toBe('25P01')
  })
})

describe('statements of tools', () => {
  it('compare with any of an array, whose type the client may leave out', async () => {
    const client = await started()
    const text = 'select i from range(5) t(i) where i::varchar = any($1) order by i'
    for (const oids of [[], [1009]]) {
      const messages = await client.ask(
        send.parse('', text, oids),
        send.bind('', '', ['{1,3}']),
        send.execute(''),
        send.sync(),
      )
      expect(messages.filter(({ type }) => type === 'D').map(({ body }) => String(body.subarray(6)))).toEqual(
        ['1', '3'],
      )
    }
  })

  it('explain a plan without paths of files', async () => {
    const client = await started()
    const plan = (await client.rows('explain select count(*) from iot_reward_shares')).join('\n')
    expect(plan).toMatch(/AGGREGATE|PARQUET|COUNT/i)
    expect(plan).not.toContain('/')
    expect(await client.stateOf('explain analyze select 1')).toBe('0A000')
  })

  it('write days and moments as Superset does', async () => {
    const client = await started()
    expect(
      await client.rows(
        "select to_date('2025-02-01', 'YYYY-MM-DD'), to_timestamp('2025-02-01 01:02:03.000004', 'YYYY-MM-DD HH24:MI:SS.US')",
      ),
    ).toEqual([['2025-02-01', '2025-02-01 01:02:03.000004']])
    expect(await client.stateOf("select to_date('01.02.2025', 'DD.MM.YYYY')")).toMatch(/^22/)
  })
})

describe('settings', () => {
  it.each([
    ['set extra_float_digits = 3', 'show extra_float_digits', '3'],
    ["set application_name to 'a tool'", 'show application_name', 'a tool'],
    ['set session characteristics as transaction read only', 'show transaction_read_only', 'on'],
    ['discard all', 'show TRANSACTION ISOLATION LEVEL', 'repeatable read'],
    ["set client_encoding to 'utf-8'", 'show client_encoding', 'UTF8'],
    ["set datestyle = 'ISO'", 'show timezone', 'UTC'],
  ])('%s', async (change, show, value) => {
    const client = await started()
    expect(typesOf(await client.ask(send.query(change))).replace(/[SN]/g, '')).toBe('CZ')
    expect(await client.rows(show)).toEqual([[value]])
  })

  it('of the first message may be quoted, as asyncpg does', async () => {
    const client = await RawClient.open(port)
    expect((await client.start({ user: 'a', client_encoding: "'utf-8'" })).at(-1)?.type).toBe('Z')
  })

  it('that the server cannot keep to are refused', async () => {
    const client = await started()
    expect(await client.stateOf("set client_encoding = 'LATIN1'")).toBe('0A000')
    expect(await client.stateOf('show nothing_known')).toBe('42704')
  })
})

describe('COPY to the client', () => {
  const copied = async (text: string) => {
    const client = await started()
    const messages = await client.ask(send.query(text))
    expect(typesOf(messages)).toMatch(/^Hd*cCZ$/)
    return Buffer.concat(messages.filter(({ type }) => type === 'd').map(({ body }) => body))
  }

  it('writes text, with escapes', async () => {
    expect(String(await copied("copy (select 1, null, e'a\\tb') to stdout"))).toBe('1\t\\N\ta\\tb\n')
  })

  it('writes CSV, with a header', async () => {
    expect(
      String(
        await copied(`copy (select 1 as n, 'a,"b' as t, null as z, '' as e) to stdout (format csv, header)`),
      ),
    ).toBe('n,t,z,e\n1,"a,""b",,""\n')
  })

  it('writes the binary format, with its head in the first piece even without rows', async () => {
    const client = await started()
    const messages = await client.ask(send.query('copy (select 1 where false) to stdout (format binary)'))
    expect(messages.filter(({ type }) => type === 'd')).toHaveLength(1)
    expect((await copied('copy (select 1::integer, null) to stdout (format binary)')).toString('hex')).toBe(
      '5047434f50590aff0d0a00000000000000000000020000000400000001ffffffffffff',
    )
  })
})

describe('a cancel request', () => {
  it('ends the running statement, and the next one runs', async () => {
    const client = await RawClient.open(port)
    const keyData = (await client.start()).find(({ type }) => type === 'K')?.body ?? Buffer.alloc(8)
    client.write(send.query('select sum(a.range * b.range) from range(10000000) a, range(1000000) b'))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const other = await RawClient.open(port)
    other.write(send.cancel(keyData.readInt32BE(0), keyData.readInt32BE(4)))
    const error = (await client.until('Z')).find(({ type }) => type === 'E')
    expect(errorIn(error as never)).toMatchObject({ C: '57014' })
    expect(await client.rows('select 1')).toEqual([['1']])
  })
})
