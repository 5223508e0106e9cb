import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import { keepOrders } from '../../src/cli/keep-orders.ts'
import { openServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { madeUpRewards } from '../support/made-up-rewards.ts'
import { storeMadeUp } from '../support/store-made-up.ts'
import { makeFolder } from '../support/temporary-folder.ts'

let lake = ''
let remove = async () => {}

/** Enough rewards that sorted copies are worth their while. */
beforeAll(async () => {
  const made = await makeFolder()
  lake = join(made.folder, 'lake')
  remove = made.remove
  const rewards = madeUpRewards('many', { first: 1, blocks: 1050, perBlock: 100 })
  await storeMadeUp(lake, l1Rewards, { 'data_xaa.csv.gz': rewards })
})
afterAll(() => remove())

const building = (state: string) => join(state, 'orders', 'building')

it('a served lake gets the sorted copies that it lacks, and requests use them', async () => {
  const settings = readSettings({}, { lake })
  const services = await openServices(settings)
  const at = await services.lake.latest()
  const faults: unknown[] = []
  expect(services.orders.of(at.table(l1Rewards))).toBeUndefined()
  const keeper = keepOrders(
    settings,
    services,
    () => at,
    (fault) => faults.push(fault),
    20,
  )
  while (services.orders.of(at.table(l1Rewards)) === undefined && faults.length === 0) await setTimeout(20)
  expect(faults).toEqual([])
  const orders = services.orders.of(at.table(l1Rewards))
  expect([...(orders?.copies.keys() ?? [])]).toEqual(['account_address', 'gateway_address'])
  expect([...(orders?.pointers.keys() ?? [])]).toEqual(['transaction_hash'])
  await keeper.close()
  await services.close()
  expect(readdirSync(building(join(lake, '_state')))).toEqual([])
})

it('a server that stops does not wait for copies that are half made, and leaves nothing of them', async () => {
  const state = join(lake, '..', 'state')
  const settings = readSettings({}, { lake, state })
  const services = await openServices(settings)
  const at = await services.lake.latest()
  const faults: unknown[] = []
  const keeper = keepOrders(
    settings,
    services,
    () => at,
    (fault) => faults.push(fault),
    5,
  )
  const isBegun = () => existsSync(building(state)) && readdirSync(building(state)).length > 0
  while (!isBegun() && faults.length === 0) await setTimeout(1)
  await keeper.close()
  await services.close()
  expect(faults).toEqual([])
  expect(readdirSync(building(state))).toEqual([])
  expect(readdirSync(join(state, 'orders'))).toEqual(['building'])
})
