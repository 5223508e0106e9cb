import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import type { Row } from '../../src/catalog/resource.ts'
import { openRowBlocks, type RowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/lake.ts'
import type { Predicate } from '../../src/query/plan.ts'
import { findBlocked } from '../../src/repository/blocked-rows.ts'
import { openSortedCopies } from '../../src/sorted-copies/sorted-copies.ts'
import { deriveBlocks } from '../support/derive-all.ts'
import { inListOrder } from '../support/network/reward-list.ts'
import { drawManyRewards, type Reward } from '../support/network/rewards.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { storeMadeUp } from '../support/store-made-up.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const parts = drawManyRewards()
const everything = inListOrder(parts)
/** One of the account that has a third of all. */
const one = everything.find(
  (row, place) => place > 50_000 && row.account_address === '1largest' && row.gateway_address !== null,
) as Reward

let lake = ''

beforeAll(async () => {
  lake = join(await temporaryFolder(), 'lake')
  await storeMadeUp(lake, l1Rewards, parts)
  await deriveBlocks(lake)
})

type Filter = 'block' | 'transaction_hash' | 'account_address' | 'gateway_address' | 'type'
const equal = (column: Filter): Predicate => ({ column, match: 'equals', value: one[column] as string })
const rowsWith = (...columns: readonly Filter[]) =>
  everything.filter((row) => columns.every((column) => row[column] === one[column]))

async function openBlocks() {
  const stateFolder = join(lake, '_state')
  const copies = openSortedCopies(stateFolder, openTestWriter, 1)
  const blocks = openRowBlocks(stateFolder, openTestWriter, copies, 1)
  onTestFinished(() => blocks.close())
  const at = await new Lake(lake).latest()
  expect(await blocks.load(at)).toEqual([])
  return { blocks, copies, at }
}

it('rows of which many have to be compared are left to the engine', async () => {
  const { blocks, copies, at } = await openBlocks()
  expect(rowsWith('account_address').length).toBeGreaterThan(8192)
  const find = (...columns: Filter[]) =>
    findBlocked(blocks, copies, { resource: l1Rewards, where: columns.map(equal) }, at)
  expect(find('account_address', 'type')).toBeUndefined()
  expect(find('account_address')?.total).toBe(rowsWith('account_address').length)
})

it.each<[readonly Filter[], number]>([
  [['block', 'account_address'], 0],
  // So few that no other way is looked for.
  [['block', 'transaction_hash', 'account_address'], rowsWith('block', 'transaction_hash').length],
  [['transaction_hash', 'block'], 0],
  [['account_address', 'gateway_address'], rowsWith('gateway_address').length],
  [['account_address', 'transaction_hash'], rowsWith('transaction_hash').length],
  [['block', 'type'], rowsWith('block').length],
])('rows by %s are found where few have to be compared: %i', async (columns, most) => {
  const { blocks, copies, at } = await openBlocks()
  let compared = 0
  const counted: RowBlocks = {
    ...blocks,
    narrow(path, where, likely) {
      const narrowed = blocks.narrow(path, where, likely)
      return (
        narrowed && {
          ...narrowed,
          find() {
            compared += narrowed.compared
            return narrowed.find()
          },
        }
      )
    },
  }
  const found = findBlocked(counted, copies, { resource: l1Rewards, where: columns.map(equal) }, at)
  expect(found?.read(0, found.total, ['ordinal'])).toEqual(
    rowsWith(...columns).map(({ ordinal }) => ({ ordinal })),
  )
  expect(found?.total).toBeGreaterThan(0)
  expect(compared).toBe(most)
})

it('pointers name the first row that they lead to, so that it is looked for there', async () => {
  const { blocks, copies, at } = await openBlocks()
  const led: Row[] = []
  const watched: RowBlocks = {
    ...blocks,
    narrow(path, where, likely) {
      if (likely !== undefined)
        led.push(
          ...(blocks.rows([{ file: path, first: likely, end: likely + 1 }], ['transaction_hash']) ?? []),
        )
      return blocks.narrow(path, where, likely)
    },
  }
  for (const { transaction_hash } of everything.slice(0, scaled(50, 200))) {
    const where = [{ column: 'transaction_hash', match: 'equals', value: transaction_hash }] as const
    const found = findBlocked(watched, copies, { resource: l1Rewards, where }, at)
    expect(found?.total).toBe(everything.filter((row) => row.transaction_hash === transaction_hash).length)
    expect(led.splice(0)).toContainEqual({ transaction_hash })
  }
})
