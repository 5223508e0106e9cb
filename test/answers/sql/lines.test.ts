import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlSession } from '../../../src/answers/sql/sql-session.ts'
import { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { readExact } from '../../support/exact-json.ts'
import { openSqlSession } from '../../support/servers/ask-sql.ts'

let session: SqlSession
beforeAll(async () => {
  session = await openSqlSession('no-lake', new Snapshot([]))
})
afterAll(() => session.close())

async function linesOf(statement: string, format: 'csv' | 'ndjson'): Promise<string> {
  const pieces: string[] = []
  for await (const piece of session.lines(await session.check(statement), format)) pieces.push(piece)
  return pieces.join('')
}

/** A row of values that are lost where they pass through a double or an unquoted cell, and one of nulls. */
const ROWS = `
  SELECT * FROM (VALUES
    (1, 'a,"b"' || chr(10), 9007199254740993, -170141183460469231731687303715884105727, 18446744073709551615::DECIMAL(20,0),
      0.0000000000000001::DECIMAL(38,16), TIMESTAMPTZ '2025-01-29 00:00:00.5+00', true, 1e300::DOUBLE,
      ['NaN'::DOUBLE, 1.5, '-inf'], {'t': 'NaN "x"', 'n': 9007199254740993}, 'x'::BLOB),
    (2, '', NULL, NULL, NULL, NULL, NULL, NULL, 'nan', NULL, NULL, NULL)
  ) r("nr", "a ""key"",", n, h, earned, usd, "at", ok, x, list, s, b)
  ORDER BY nr`

describe('rows as CSV', () => {
  it('have a header, every digit, quotes where needed, and an empty cell for null', async () => {
    expect(await linesOf(ROWS, 'csv')).toBe(
      'nr,"a ""key"",",n,h,earned,usd,at,ok,x,list,s,b\n' +
        '1,"a,""b""\n",9007199254740993,-170141183460469231731687303715884105727,18446744073709551615,0.0000000000000001,' +
        `2025-01-29T00:00:00.5Z,true,1e+300,"[nan, 1.5, -inf]","{'t': 'NaN ""x""', 'n': 9007199254740993}",x\n` +
        '2,"",,,,,,,nan,,,\n',
    )
  })

  it('have only a header if there is no row', async () => {
    expect(await linesOf('SELECT key, ecc_key FROM (SELECT ecc_key, name AS key FROM hotspots)', 'csv')).toBe(
      'key,ecc_key\n',
    )
  })
})

describe('rows as NDJSON', () => {
  it('have one object in each line, integers with every digit, and fractions and NaN as strings', async () => {
    const lines = (await linesOf(ROWS, 'ndjson')).trimEnd().split('\n')
    expect(lines.map((line) => readExact(line))).toEqual([
      {
        nr: 1n,
        'a "key",': 'a,"b"\n',
        n: 9007199254740993n,
        h: -170141183460469231731687303715884105727n,
        earned: 18446744073709551615n,
        usd: '0.0000000000000001',
        at: '2025-01-29T00:00:00.5Z',
        ok: true,
        x: expect.anything(),
        list: ['NaN', expect.anything(), '-Infinity'],
        s: { t: 'NaN "x"', n: 9007199254740993n },
        b: 'x',
      },
      {
        ...{ nr: 2n, 'a "key",': '', n: null, h: null, earned: null, usd: null, at: null },
        ...{ ok: null, x: 'nan', list: null, s: null, b: null },
      },
    ])
    expect(lines.map((line) => JSON.parse(line).x)).toEqual([1e300, 'nan'])
  })
})
