import { beforeAll, describe, expect, it } from 'vitest'
import { readJsonHint } from '../../../src/doors/sharing/hints/json-hint.ts'
import { outcomesOf, type PredicateFile } from '../../../src/doors/sharing/hints/predicate.ts'
import { readSqlHint } from '../../../src/doors/sharing/hints/sql-hint.ts'
import { buildTestServer } from '../../support/build-test-server.ts'
import { iotReward, makeLake } from '../../support/make-lake.ts'
import { query, sharingOf } from '../../support/sharing.ts'

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

const json = (op: string, name: string, value: string, valueType = 'string') => ({
  op,
  children: [
    { op: 'column', name, valueType },
    { op: 'literal', value, valueType },
  ],
})
const hinted = (tree: object) => ({ jsonPredicateHints: JSON.stringify(tree) })

describe('hints leave out the files of which no row can match', () => {
  it.each<[object, string[]]>([
    [{}, ['01', '02', '03']],
    [{ predicateHints: ["month = '2025-02'"] }, ['02']],
    [{ predicateHints: ["'2025-02' <= month", "`month` <> '2025-03'"] }, ['02']],
    [{ predicateHints: ["MONTH < '2025-03'"] }, ['01', '02']],
    [{ predicateHints: ['month IS NULL'] }, []],
    [{ predicateHints: ['month is not null'] }, ['01', '02', '03']],
    [{ predicateHints: ['amount IS NOT NULL'] }, []],
    [{ predicateHints: ["end_period >= '2025-02-11T00:00:00Z'"] }, ['02', '03']],
    [{ predicateHints: ["end_period < '2025-02-10T00:00:00+00:00'"] }, ['01']],
    [{ predicateHints: ['beacon_amount > 9007199254740997'] }, ['03']],
    [{ predicateHints: ['beacon_amount = 9007199254740994'] }, ['01']],
    [{ predicateHints: ["reward_type = 'gateway_reward'", "month = '2025-03'"] }, ['03']],
    [{ predicateHints: ["reward_type = 'nothing'"] }, []],
    [hinted(json('equal', 'month', '2025-01')), ['01']],
    [hinted(json('greaterThan', 'ordinal', '1', 'long')), ['02', '03']],
    [hinted(json('greaterThanOrEqual', 'end_period', '2025-03-10T00:00:00Z', 'timestamp')), ['03']],
    [
      hinted({ op: 'or', children: [json('equal', 'month', '2025-01'), json('equal', 'month', '2025-03')] }),
      ['01', '03'],
    ],
    [hinted({ op: 'not', children: [json('equal', 'month', '2025-01')] }), ['02', '03']],
    [
      hinted({
        op: 'and',
        children: [json('lessThan', 'month', '2025-03'), json('greaterThan', 'month', '2025-01')],
      }),
      ['02'],
    ],
    [
      hinted({
        op: 'not',
        children: [{ op: 'isNull', children: [{ op: 'column', name: 'hotspot_key', valueType: 'string' }] }],
      }),
      ['01', '02', '03'],
    ],
  ])('%j', async (body, months) => {
    expect(await monthsOf(body)).toEqual(months)
  })
})

describe('hints that are not understood, or would take a conversion, leave out nothing', () => {
  it.each<[object]>([
    [{ predicateHints: ["end_period >= '2026-01-01'"] }],
    [{ predicateHints: ["end_period >= '2026-01-01 00:00:00'"] }],
    [{ predicateHints: ['month = 7'] }],
    [{ predicateHints: ['month = "2025-09"'] }],
    [{ predicateHints: ["month = 'a\\'"] }],
    [{ predicateHints: ["beacon_amount = '7'"] }],
    [{ predicateHints: ['no_column = 7'] }],
    [{ predicateHints: ["substr(month, 1, 4) = '2024'"] }],
    [{ predicateHints: ["month = '2025-09' OR 1 = 1"] }],
    [{ jsonPredicateHints: '{"op":' }],
    [{ jsonPredicateHints: '7' }],
    [hinted({ op: 'like', children: [] })],
    [hinted(json('equal', 'no_column', 'x'))],
    [hinted(json('equal', 'beacon_amount', '7', 'long'))],
    [hinted(json('equal', 'ordinal', '77', 'int'))],
    [hinted(json('equal', 'month', '7', 'int'))],
    [hinted({ op: 'and', children: [] })],
  ])('%j', async (body) => {
    expect(await monthsOf(body)).toEqual(['01', '02', '03'])
  })

  it('and so do those that are nested without end', async () => {
    const deep = `${'{"op":"not","children":['.repeat(20_000)}{}${']}'.repeat(20_000)}`
    expect(await monthsOf({ jsonPredicateHints: deep })).toEqual(['01', '02', '03'])
  })
})

describe('a limit', () => {
  it.each<[object, string[]]>([
    [{ limitHint: 0 }, []],
    [{ limitHint: 1 }, ['01']],
    [{ limitHint: 2 }, ['01']],
    [{ limitHint: 3 }, ['01', '02']],
    [{ limitHint: 5 }, ['01', '02']],
    [{ limitHint: 6 }, ['01', '02', '03']],
    [{ limitHint: 100 }, ['01', '02', '03']],
    // All rows of the first file match; of those that are only possible none is counted.
    [{ limitHint: 2, predicateHints: ["month < '2025-03'"] }, ['01']],
    [{ limitHint: 1, predicateHints: ["month > '2025-01'"] }, ['02']],
    [{ limitHint: 1, predicateHints: ['beacon_amount >= 9007199254740994'] }, ['01', '02']],
    [{ limitHint: 1, predicateHints: ["hotspot_key = 'x'"] }, []],
    [{ limitHint: 1, predicateHints: ['length(month) = 7'] }, ['01', '02', '03']],
  ])('%j', async (body, months) => {
    expect(await monthsOf(body)).toEqual(months)
  })
})

describe('what a predicate may be for the rows of a file', () => {
  const values: readonly (bigint | null)[] = [null, -2n, 0n, 3n, 2n ** 70n]
  const literals = [-3n, -2n, 0n, 1n, 3n, 2n ** 70n, 2n ** 70n + 1n]
  const operators = ['=', '<>', '<', '<=', '>', '>=']
  const meaning: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
    '=': (a, b) => a === b,
    '<>': (a, b) => a !== b,
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
  }

  function fileOf(rows: readonly (bigint | null)[]): PredicateFile {
    const there = rows.filter((row) => row !== null).sort((a, b) => (a < b ? -1 : 1))
    const [least, most] = [there[0], there.at(-1)]
    return {
      valuesOf: () =>
        least === undefined || most === undefined
          ? undefined
          : { kind: 'whole', type: 'long', least, most, isExact: true },
      nullsOf: () => ({ hasNulls: rows.includes(null), isAllNull: there.length === 0 }),
    }
  }

  it('has every outcome that a row has, for all files of up to three values, alone, negated, and in pairs', () => {
    const files = values.flatMap((a) => values.flatMap((b) => values.map((c) => [a, b, c])))
    let judged = 0
    const truth = (operator: string, value: bigint | null, literal: bigint) =>
      value === null ? null : meaning[operator]?.(value, literal)
    for (const rows of files)
      for (const operator of operators)
        for (const literal of literals) {
          const text = `n ${operator} ${literal}`
          const [own, negated] = [readSqlHint(text), { is: 'not' as const, part: readSqlHint(text) }]
          const file = fileOf(rows)
          const [may, mayNot] = [outcomesOf(own, file), outcomesOf(negated, file)]
          const pair = outcomesOf({ is: 'or', parts: [own, readSqlHint('n = 3')] }, file)
          for (const row of rows) {
            const is = truth(operator, row, literal)
            const name = is === null ? 'null' : is ? 'yes' : 'no'
            const other = is === null ? 'null' : is ? 'no' : 'yes'
            const either = is === null ? 'null' : is || row === 3n ? 'yes' : 'no'
            if (!may[name] || !mayNot[other] || !pair[either])
              throw new Error(`${text} of ${rows} leaves out ${row}`)
            judged += 1
          }
        }
    expect(judged).toBe(125 * 6 * 7 * 3)
  })

  it('is the same by JSON with the sides exchanged', () => {
    const file = fileOf([1n, 5n])
    const literal = { op: 'literal', value: '5', valueType: 'long' }
    const column = { op: 'column', name: 'n', valueType: 'long' }
    const of = (op: string, children: object[]) =>
      outcomesOf(readJsonHint(JSON.stringify({ op, children })), file)
    expect(of('lessThan', [literal, column])).toEqual({ yes: false, no: true, null: false })
    expect(of('lessThanOrEqual', [literal, column])).toEqual({ yes: true, no: true, null: false })
    expect(of('greaterThanOrEqual', [literal, column])).toEqual({ yes: true, no: false, null: false })
  })
})
