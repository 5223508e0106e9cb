import { describe, expect, it } from 'vitest'
import { csvFormat, ndjsonFormat } from '../../src/sql/write-rows.ts'
import { readExact } from '../support/exact-json.ts'

const columns = [
  ['key', 'VARCHAR'],
  ['n', 'BIGINT'],
  ['sum', 'HUGEINT'],
  ['earned', 'DECIMAL(20,0)'],
  ['usd', 'DECIMAL(38,16)'],
  ['at', 'TIMESTAMP WITH TIME ZONE'],
  ['ok', 'BOOLEAN'],
  ['x', 'DOUBLE'],
  ['list', 'DOUBLE[]'],
].map(([name = '', type = '']) => ({ name, type }))

const rows = [
  [
    'a,"b"\n',
    '9007199254740993',
    '-170141183460469231731687303715884105727',
    '18446744073709551615',
    '0.0000000000000001',
    '2025-01-29 00:00:00.5+00',
    'true',
    '0.5',
    '["NaN",NaN,1.5,-Infinity]',
  ],
  ['', null, null, null, null, null, null, 'nan', null],
]

describe('rows as CSV', () => {
  const { head, rows: write } = csvFormat(columns)

  it('have a head, every digit, quotes where they are needed, and nothing for null', () => {
    expect(head + write(rows)).toBe(
      'key,n,sum,earned,usd,at,ok,x,list\n' +
        '"a,""b""\n",9007199254740993,-170141183460469231731687303715884105727,18446744073709551615,0.0000000000000001,' +
        '2025-01-29T00:00:00.5Z,true,0.5,"[""NaN"",NaN,1.5,-Infinity]"\n' +
        '"",,,,,,,nan,\n',
    )
  })
})

describe('rows as NDJSON', () => {
  const lines = ndjsonFormat(columns).rows(rows).trimEnd().split('\n')

  it('are an object a line, integers with every digit, fractions as text, and what is no number too', () => {
    expect(lines.map((line) => readExact(line))).toEqual([
      {
        key: 'a,"b"\n',
        n: 9007199254740993n,
        sum: -170141183460469231731687303715884105727n,
        earned: 18446744073709551615n,
        usd: '0.0000000000000001',
        at: '2025-01-29T00:00:00.5Z',
        ok: true,
        x: expect.anything(),
        list: ['NaN', 'NaN', expect.anything(), '-Infinity'],
      },
      { key: '', n: null, sum: null, earned: null, usd: null, at: null, ok: null, x: 'nan', list: null },
    ])
  })
})
