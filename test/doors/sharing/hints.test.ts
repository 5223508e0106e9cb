import { beforeAll, describe, expect, it } from 'vitest'
import { mayMatch } from '../../../src/doors/sharing/may-match.ts'
import { iotReward, makeLake } from '../../support/lakes/make-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { query, sharingOf } from '../../support/servers/sharing.ts'

const table = 'iot_reward_shares'
let server: Awaited<ReturnType<typeof buildTestServer>>['server']

/** Three files of three months: 2, 3 and 1 rows. */
beforeAll(async () => {
  const days = ['2025-01-10', '2025-01-11', '2025-02-10', '2025-02-11', '2025-02-12', '2025-03-10']
  const { folder } = await makeLake({
    'iot/iot_reward_share.1738110600000.gz': days.map((day, place) =>
      iotReward(day, place, { beacon_amount: 9_007_199_254_740_993n + BigInt(place) }),
    ),
  })
  server = (await buildTestServer(folder, 60_000, undefined, sharingOf(folder))).server
})

const monthsOf = async (body: object) =>
  (await query(server, table, body)).files.map(({ partitionValues }) =>
    String(partitionValues.month).slice(5),
  )

const column = (name: string, valueType = 'string') => ({ op: 'column', name, valueType })
const literal = (value: string, valueType = 'string') => ({ op: 'literal', value, valueType })
const json = (op: string, name: string, value: string, valueType = 'string') => ({
  op,
  children: [column(name, valueType), literal(value, valueType)],
})
const hinted = (tree: object) => ({ jsonPredicateHints: JSON.stringify(tree) })

describe('hints leave out the files in which no row can match', () => {
  it.each<[object, string[]]>([
    [{}, ['01', '02', '03']],
    [hinted(json('equal', 'month', '2025-01')), ['01']],
    [hinted(json('lessThan', 'MONTH', '2025-03')), ['01', '02']],
    [hinted({ op: 'lessThanOrEqual', children: [literal('2025-02'), column('month')] }), ['02', '03']],
    [hinted(json('greaterThan', 'ordinal', '1', 'long')), ['02', '03']],
    [hinted(json('greaterThanOrEqual', 'end_period', '2025-02-11T00:00:00Z', 'timestamp')), ['02', '03']],
    [hinted(json('lessThan', 'end_period', '2025-02-10T00:00:00+00:00', 'timestamp')), ['01']],
    [hinted(json('equal', 'reward_type', 'nothing')), []],
    [
      hinted({ op: 'or', children: [json('equal', 'month', '2025-01'), json('equal', 'month', '2025-03')] }),
      ['01', '03'],
    ],
    [
      hinted({
        op: 'and',
        children: [json('lessThan', 'month', '2025-03'), json('greaterThan', 'month', '2025-01')],
      }),
      ['02'],
    ],
    [
      hinted({
        op: 'and',
        children: [
          { op: 'not', children: [{ op: 'isNull', children: [column('month')] }] },
          json('equal', 'month', '2025-02'),
        ],
      }),
      ['02'],
    ],
  ])('%j', async (body, months) => {
    expect(await monthsOf(body)).toEqual(months)
  })
})

describe('hints that are unknown or need a conversion leave out no file', () => {
  it.each<[object]>([
    [{ predicateHints: ["month = '2025-09'"] }],
    [{ jsonPredicateHints: '{"op":' }],
    [{ jsonPredicateHints: '7' }],
    [hinted(json('equal', 'end_period', '2026-01-01', 'timestamp'))],
    [hinted(json('equal', 'end_period', '2026-01-01 00:00:00', 'timestamp'))],
    [hinted({ op: 'like', children: [] })],
    [hinted({ op: 'not', children: [json('greaterThan', 'month', '2024-01')] })],
    [hinted({ op: 'isNull', children: [column('month')] })],
    [hinted({ op: 'equal', children: [column('month'), literal('7', 'int')] })],
    [hinted(json('equal', 'no_column', 'x'))],
    [hinted(json('equal', 'beacon_amount', '7', 'long'))],
    [hinted(json('equal', 'ordinal', '77', 'int'))],
    [hinted(json('equal', 'ordinal', 'many', 'long'))],
    [hinted(json('equal', 'month', '7', 'int'))],
    [hinted(json('__proto__', 'month', '2025-09'))],
    [hinted(json('equal', 'month', '2025-09', 'constructor'))],
    [hinted({ op: 'and', children: [] })],
    [hinted({ op: 'or', children: [] })],
  ])('%j', async (body) => {
    expect(await monthsOf(body)).toEqual(['01', '02', '03'])
  })

  it('hints nested 20,000 deep leave out no file', async () => {
    const deep = `${'{"op":"and","children":['.repeat(20_000)}{}${']}'.repeat(20_000)}`
    expect(await monthsOf({ jsonPredicateHints: deep })).toEqual(['01', '02', '03'])
  })
})

describe('a limit of rows', () => {
  it.each<[object, string[]]>([
    [{ limitHint: 0 }, []],
    [{ limitHint: 1 }, ['01']],
    [{ limitHint: 2 }, ['01']],
    [{ limitHint: 3 }, ['01', '02']],
    [{ limitHint: 5 }, ['01', '02']],
    [{ limitHint: 6 }, ['01', '02', '03']],
    [{ limitHint: 100 }, ['01', '02', '03']],
    // The client filters first, so rows that do not match must not count.
    [{ limitHint: 1, ...hinted(json('lessThan', 'month', '2025-03')) }, ['01', '02']],
    [{ limitHint: 1, ...hinted(json('equal', 'hotspot_key', 'x')) }, []],
    [{ limitHint: 1, predicateHints: ['length(month) = 7'] }, ['01', '02', '03']],
  ])('sends for %j only the first files that are sure to have enough rows', async (body, months) => {
    expect(await monthsOf(body)).toEqual(months)
  })
})

describe('a file by its bounds', () => {
  const values = [-2n, 0n, 3n, 2n ** 70n]
  const operands = [-3n, -2n, 0n, 1n, 3n, 2n ** 70n, 2n ** 70n + 1n]
  const meaning: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
    equal: (a, b) => a === b,
    lessThan: (a, b) => a < b,
    lessThanOrEqual: (a, b) => a <= b,
    greaterThan: (a, b) => a > b,
    greaterThanOrEqual: (a, b) => a >= b,
  }

  const fileOf = (rows: readonly bigint[]) => {
    const [least = 0n, ...more] = [...rows].sort((a, b) => (a < b ? -1 : 1))
    const bounds = { kind: 'whole', type: 'long', least, most: more.at(-1) ?? least } as const
    return { rows: rows.length, boundsOf: () => bounds }
  }

  it('is kept if a row matches, for all files of two values, with the sides exchanged, alone and in pairs', () => {
    const files = values.flatMap((a) => values.map((b) => [a, b]))
    let judged = 0
    for (const rows of files)
      for (const [op, holds] of Object.entries(meaning))
        for (const operand of operands) {
          const sides = [column('n', 'long'), literal(String(operand), 'long')]
          const isThree = json('equal', 'n', '3', 'long')
          const may = (predicate: object) => mayMatch(predicate, fileOf(rows))
          const isKept = may({ op, children: sides })
          for (const row of rows) {
            const turned = { op, children: [...sides].reverse() }
            if (holds(row, operand)) expect([op, operand, rows, isKept]).toEqual([op, operand, rows, true])
            if (holds(operand, row))
              expect([op, operand, rows, may(turned)]).toEqual([op, operand, rows, true])
            if (holds(row, operand) || row === 3n)
              expect(may({ op: 'or', children: [{ op, children: sides }, isThree] })).toBe(true)
            if (holds(row, operand) && row === 3n)
              expect(may({ op: 'and', children: [{ op, children: sides }, isThree] })).toBe(true)
            judged += 1
          }
          // Between the bounds a value may be that is none of these.
          if (!isKept) expect(rows.some((row) => holds(row, operand))).toBe(false)
        }
    expect(judged).toBe(16 * 5 * 7 * 2)
  })

  it('is left out for an operand just beyond its bounds', () => {
    const left = (op: string, value: bigint) =>
      !mayMatch(json(op, 'n', String(value), 'long'), fileOf([-2n, 3n]))
    expect([left('equal', 4n), left('equal', -3n), left('lessThan', -2n)]).toEqual([true, true, true])
    expect([left('lessThanOrEqual', -3n), left('greaterThan', 3n)]).toEqual([true, true])
    expect(left('greaterThanOrEqual', 4n)).toBe(true)
  })
})
