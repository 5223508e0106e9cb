import { expect, it } from 'vitest'
import { type ByKind, byKind } from '../../../src/catalog/column.ts'
import { makers } from '../../../src/catalog/l2/makers.ts'
import type { RowsPlan } from '../../../src/catalog/query/plan.ts'
import { type ColumnOf, namesOf, type Row, rowsOf } from '../../../src/catalog/resource.ts'

/** The compiler is the test: every `@ts-expect-error` below is an error itself as soon as what follows it compiles. */

type MakersPlan = RowsPlan<ColumnOf<typeof makers>>

const plan = { resource: makers, where: [], columns: namesOf(makers.columns), limit: 1, offset: 0 } as const
const stored: readonly Row[] = [{ name: 'Ärmel', bump_seed: 255, ordinal: 2n ** 63n - 1n }]

it('a plan for a known table has columns of that table only', () => {
  const right: MakersPlan = { ...plan, where: [{ column: 'name', match: 'equals', value: 'Ärmel' }] }
  const wrong: readonly MakersPlan[] = [
    // @ts-expect-error
    { ...plan, where: [{ column: 'nmae', match: 'equals', value: 'Ärmel' }] },
    // @ts-expect-error
    { ...plan, columns: ['nmae'] },
  ]
  const any: RowsPlan = right
  expect([any.columns, wrong.length]).toEqual([Object.keys(makers.columns), 2])
})

it('a row of a known table has the types of its declaration', () => {
  const [maker] = rowsOf(makers, stored)
  const seed: number | undefined = maker?.bump_seed
  const ordinal: bigint | undefined = maker?.ordinal
  // @ts-expect-error
  const name: number | undefined = maker?.name
  // @ts-expect-error
  const unknown = maker?.nmae
  expect([seed, ordinal, name, unknown]).toEqual([255, 9_223_372_036_854_775_807n, 'Ärmel', undefined])
})

it('a handler for each kind of value gets the value of its kind', () => {
  const some = {
    texts: (texts: readonly string[]) => texts.length,
    amount: (amount: bigint) => Number(amount > 0n),
  }
  // @ts-expect-error: kinds are missing
  const table: ByKind<[], number> = some
  // @ts-expect-error: amounts are no texts
  const wrong: ByKind<[], number>['amount'] = some.texts
  expect([byKind(table, 'texts', ['a', 'b']), byKind(table, 'amount', 3n), wrong(['a'] as never)]).toEqual([
    2, 1, 1,
  ])
})
