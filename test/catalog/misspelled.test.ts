import { expect, it } from 'vitest'
import { amount, oneOf, origin, text } from '../../src/catalog/column.ts'
import { equal } from '../../src/catalog/l1/ledger-events.ts'
import type { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import { asColumns, withFormatted } from '../../src/catalog/members.ts'
import { type NetworkId, networkIds } from '../../src/catalog/networks.ts'
import { defineResource } from '../../src/catalog/resource.ts'
import { oneofMember, variants } from '../../src/write/wire/field.ts'

/**
 * The compiler is the test: every `@ts-expect-error` below is an error itself as soon as the word under it compiles.
 * Each declaration is the one that compiles, with one word of it misspelled.
 */

const columns = {
  ...origin,
  address: text('Whose it is.'),
  type: oneOf(['poc', 'data'], 'What for.'),
  amount: amount('How much.'),
}

const declared = {
  name: 'payments',
  doc: 'What somebody was paid.',
  columns,
  order: [{ column: 'address' }, { column: 'ordinal' }],
  partition: null,
} as const

const filters = { owner: { column: 'address', match: 'equals', doc: 'Whose.' } } as const
const rest = { path: '/l1/payments', envelope: 'records', list: 'get-payments', summary: 'Payments' } as const
const graphql = { query: 'payments', node: 'Payment' } as const

it('a declaration without a misspelled word compiles, with its names', () => {
  const payments = defineResource({
    ...declared,
    key: 'address',
    keyed: 'address',
    arrival: { as: 'csv', folder: 'payments', cells: { payee: 'address', amount: 'amount' } },
    access: { bounds: ['ordinal'], counts: ['type'], sorted: ['address'], pointers: ['address'] },
    record: { ...asColumns('address'), nested: { members: asColumns('type') } },
    variants: {
      on: 'type',
      as: 'detail',
      cases: { poc: withFormatted('amount'), data: { raw: { derive: 'truncated', of: 'address' } } },
      mayLack: ['amount'],
    },
    filters: { ...filters, type: equal('type', 'What for.') },
    lookback: 'owner',
    totals: { total_amount: 'amount' },
    rest: { ...rest, find: { operation: 'get-payment', by: ['address'], thing: 'Payment' } },
    graphql: {
      ...graphql,
      fields: asColumns('address', 'type'),
      detail: { as: 'detail', before: '', behind: 'Detail' },
      arguments: { owner: { filter: 'owner' } },
    },
  })
  const names: readonly ('address' | 'ordinal')[] = payments.order.map(({ column }) => column)
  expect(names).toEqual(['address', 'ordinal'])
})

it('a misspelled word does not compile', () => {
  const misspelled: (() => unknown)[] = [
    // @ts-expect-error
    () => defineResource({ ...declared, order: [{ column: 'adress' }] }),
    // @ts-expect-error
    () => defineResource({ ...declared, partition: { by: 'month', of: 'ordinl' } }),
    // @ts-expect-error
    () => defineResource({ ...declared, statistics: { period: 'ordinl', type: 'type' } }),
    // @ts-expect-error
    () => defineResource({ ...declared, key: 'adress' }),
    // @ts-expect-error
    () => defineResource({ ...declared, keyed: 'adress' }),
    // @ts-expect-error
    () => defineResource({ ...declared, arrival: { as: 'csv', folder: 'x', cells: { payee: 'adress' } } }),
    () =>
      defineResource({
        ...declared,
        access: {
          // @ts-expect-error
          bounds: ['ordinl'],
          // @ts-expect-error
          counts: ['typ'],
          // @ts-expect-error
          sorted: ['adress'],
          // @ts-expect-error
          pointers: ['adress'],
        },
      }),
    () =>
      defineResource({
        ...declared,
        record: {
          // @ts-expect-error
          plain: 'adress',
          // @ts-expect-error
          derived: { derive: 'formatted', of: 'amout' },
          // @ts-expect-error
          nested: { members: { plain: 'adress' } },
        },
      }),
    // @ts-expect-error
    () => defineResource({ ...declared, record: asColumns('address', 'amout') }),
    // @ts-expect-error
    () => defineResource({ ...declared, record: { ...asColumns('address'), ...withFormatted('amout') } }),
    // @ts-expect-error
    () => defineResource({ ...declared, variants: { on: 'typ', as: 'detail', cases: {} } }),
    () =>
      defineResource({
        ...declared,
        // @ts-expect-error
        variants: { on: 'type', as: 'detail', cases: { poc: asColumns('amount'), dta: asColumns('amount') } },
      }),
    // @ts-expect-error
    () => defineResource({ ...declared, variants: { on: 'type', as: 'detail', cases: { poc: {} } } }),
    () =>
      defineResource({
        ...declared,
        variants: {
          on: 'type',
          as: 'detail',
          cases: {
            // @ts-expect-error
            poc: { plain: 'amout' },
            data: {},
          },
          // @ts-expect-error
          mayLack: ['amout'],
        },
      }),
    // @ts-expect-error
    () => defineResource({ ...declared, filters: { owner: { column: 'adress', match: 'equals', doc: '' } } }),
    // @ts-expect-error
    () => defineResource({ ...declared, filters: { owner: equal('adress', '') } }),
    // @ts-expect-error
    () => defineResource({ ...declared, filters, lookback: 'ownr' }),
    // @ts-expect-error
    () => defineResource({ ...declared, lookback: 'owner' }),
    // @ts-expect-error
    () => defineResource({ ...declared, totals: { total_amount: 'amout' } }),
    () =>
      defineResource({
        ...declared,
        // @ts-expect-error
        rest: { ...rest, find: { operation: 'get-payment', by: ['adress'], thing: 'Payment' } },
      }),
    // @ts-expect-error
    () => defineResource({ ...declared, graphql: { ...graphql, fields: { it: 'adress' }, arguments: {} } }),
    () =>
      defineResource({
        ...declared,
        filters,
        // @ts-expect-error
        graphql: { ...graphql, fields: {}, arguments: { owner: { filter: 'ownr' } } },
      }),
    // @ts-expect-error
    () => defineResource({ ...declared, lookbak: 'owner' }),
  ]
  const one = oneofMember(3, {})
  const ofEach = Object.fromEntries(networkIds.map((id) => [id, one])) as Record<NetworkId, typeof one>
  misspelled.push(
    // @ts-expect-error
    () => variants<typeof rewardManifests>({ iot: one, mobil: one }),
    // @ts-expect-error
    () => variants<typeof rewardManifests>({ iot: one }),
    () => variants<typeof rewardManifests>(ofEach),
  )
  // It is for the compiler alone; it does nothing when it runs.
  for (const declare of misspelled) expect(declare).not.toThrow()
  expect(misspelled).toHaveLength(26)
})
