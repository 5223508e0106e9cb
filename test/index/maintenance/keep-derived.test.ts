import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { l1Rewards } from '../../../src/catalog/l1/rewards.ts'
import { keepDerived } from '../../../src/index/maintenance/keep-derived.ts'
import { openServices } from '../../../src/services/services.ts'
import { readSettings, type Settings } from '../../../src/services/settings/settings.ts'
import { storeMadeUp } from '../../support/lakes/store-made-up.ts'
import { drawChain } from '../../support/network/rewards.ts'
import { runProgram } from '../../support/servers/run-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let lake = ''

/** Enough rewards for indexes to be built. */
beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  await storeMadeUp(lake, l1Rewards, drawChain({ first: 1, blocks: 1050, perBlock: 100 }))
})

/** Keeps up what is derived from the newest snapshot, once it was quiet for so many milliseconds. */
async function keep(settings: Settings, quietMs: number) {
  const services = await openServices(settings)
  const at = await services.lake.latest()
  const faults: unknown[] = []
  const keeper = keepDerived(
    services.derived,
    () => at,
    (fault) => faults.push(fault),
    quietMs,
  )
  return { services, at, faults, keeper }
}

const building = (state: string) => join(state, 'index', 'building')

it('a server builds missing indexes, and requests use them', async () => {
  const settings = readSettings({}, { lake })
  const { services, at, faults, keeper } = await keep(settings, 20)
  const columns = () => services.blocks.ordersOf(at.table(l1Rewards)).map(({ column }) => column)
  expect(columns()).toEqual([])
  while (services.blocks.lacks(at) && faults.length === 0) await setTimeout(20)
  expect(faults).toEqual([])
  expect(columns()).toEqual(['transaction_hash', 'account_address', 'gateway_address'])
  await keeper.close()
  await services.close()
  expect(readdirSync(building(join(lake, '_state')))).toEqual([])
})

it('a server that stops aborts the indexes under construction and removes them', async () => {
  const state = join(lake, '..', 'state')
  const settings = readSettings({}, { lake, state })
  const { services, faults, keeper } = await keep(settings, 5)
  const isBegun = () => existsSync(building(state)) && readdirSync(building(state)).length > 0
  while (!isBegun() && faults.length === 0) await setTimeout(1)
  await keeper.close()
  await services.close()
  expect(faults).toEqual([])
  expect(readdirSync(building(state))).toEqual([])
  expect(readdirSync(join(state, 'index'))).toEqual(['building'])
})

it('a server rebuilds indexes after a request found them deleted', async () => {
  const { services, at, faults, keeper } = await keep(readSettings({}, { lake }), 20)
  const state = join(lake, '_state')
  const areUsed = () => !services.blocks.lacks(at)
  while (!areUsed() && faults.length === 0) await setTimeout(20)
  rmSync(join(state, 'index'), { recursive: true })
  await services.blocks.forget(at.table(l1Rewards))
  expect(areUsed()).toBe(false)
  while (!areUsed() && faults.length === 0) await setTimeout(20)
  expect(faults).toEqual([])
  expect(readdirSync(join(state, 'index')).sort()).toEqual(['building', 'l1_rewards'])
  await keeper.close()
  await services.close()
})

it('a server that cannot write its state folder reports that once and continues', async () => {
  const file = join(lake, '..', 'file')
  writeFileSync(file, '')
  const settings = readSettings({}, { lake, state: join(file, 'state') })
  const services = await openServices(settings)
  const at = await services.lake.latest()
  const faults: unknown[] = []
  let looks = 0
  const current = () => {
    looks += 1
    return at
  }
  const keeper = keepDerived(services.derived, current, (fault) => faults.push(fault), 5)
  while (faults.length < 1) await setTimeout(5)
  const seen = looks
  while (looks < seen + 10) await setTimeout(5)
  await keeper.close()
  expect(faults.map(String)).toEqual([
    `Error: ${join(file, 'state/index/building')} cannot be written (ENOTDIR)`,
  ])
  const where = [{ column: 'block', match: 'equals', value: 77n }] as const
  expect(await services.engine.count({ resource: l1Rewards, where }, at)).toBe(100)
  await services.close()
})

it('an ingest that cannot write its state folder reports that once and succeeds', async () => {
  const [empty, file] = [join(lake, '..', 'empty'), join(lake, '..', 'file')]
  mkdirSync(empty)
  writeFileSync(file, '')
  const args = ['ingest', empty, '--lake', lake, '--state', join(file, 'state')]
  const { code, stderr } = await runProgram(args, { cwd: empty })
  expect(stderr.split('\n').filter((line) => line.includes('cannot be written'))).toEqual([
    `ledgerlake: pages, lookups and filters stay slow: ${join(file, 'state/index/building')} cannot be written (ENOTDIR)`,
  ])
  expect(code).toBe(0)
})
