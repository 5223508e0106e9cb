import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/duckdb-engine.ts'
import { mayBeDamage } from '../../src/engine/duckdb/failures.ts'
import { openKeyIndex } from '../../src/index/keyed/key-index.ts'
import { openCheckedFiles } from '../../src/integrity/checked-files.ts'
import { Lake } from '../../src/lake/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot.ts'
import { openPages } from '../../src/repository/pages.ts'
import { folderOf } from '../../src/sorted-copies/copies-index.ts'
import { openSortedCopies } from '../../src/sorted-copies/sorted-copies.ts'
import { filesBelow } from '../support/leftovers.ts'
import { inListOrder } from '../support/network/reward-list.ts'
import { drawManyRewards } from '../support/network/rewards.ts'
import { noBlocks } from '../support/no-blocks.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { storeMadeUp } from '../support/store-made-up.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** Sorted copies are disposable: whatever happens to them, answers stay those of the table. */

const { 'data_xaa.csv.gz': first = [], 'data_xab.csv.gz': second = [] } = drawManyRewards()
const whole = inListOrder({ first, second })

let lake = ''
let older: Snapshot
let newest: Snapshot
/** A state folder with those of the newest snapshot. */
let built = ''

/** The newest snapshot has the rewards of two sources, the older one those of the first. */
beforeAll(async () => {
  const folder = await temporaryFolder()
  lake = join(folder, 'lake')
  await storeMadeUp(lake, l1Rewards, { 'data_xaa.csv.gz': first })
  older = await new Lake(lake).latest()
  await storeMadeUp(lake, l1Rewards, { 'data_xab.csv.gz': second })
  newest = await new Lake(lake).latest()
  built = join(folder, 'built')
  await build(built)
})

const build = async (stateFolder: string, at = newest) =>
  await openSortedCopies(stateFolder, openTestWriter, 1).build(at)

/** A copy of what was built, which is much less work than to build it. */
async function builtFolder(): Promise<string> {
  const state = join(await temporaryFolder(), 'state')
  cpSync(built, state, { recursive: true })
  return state
}

const placeIn = (stateFolder: string, at = newest) => folderOf(stateFolder, at.table(l1Rewards))

type DuckdbEngine = Awaited<ReturnType<typeof openDuckdbEngine>>

/** What pages are read with. */
async function open(stateFolder: string, around = (engine: DuckdbEngine): DuckdbEngine => engine) {
  const spillFolder = join(await temporaryFolder(), 'spill')
  const limits = { memoryMb: 256, threads: 2, connections: 2 }
  const checked = openCheckedFiles({ lake }, mayBeDamage)
  const own = await openDuckdbEngine({ folders: [lake, stateFolder], spillFolder, ...limits }, checked)
  const engine = around(own)
  onTestFinished(() => engine.close())
  const sortedCopies = openSortedCopies(stateFolder, openTestWriter, 1, checked.derived)
  const pages = openPages({ engine, index: openKeyIndex('', openTestWriter) }, sortedCopies, noBlocks)
  return {
    sortedCopies,
    missing: async (at = newest) => (await sortedCopies.load(at)).length,
    areUsed: (at = newest) => sortedCopies.of(at.table(l1Rewards)) !== undefined,
    /** Asks by every column that is sorted by, and compares with all rewards. */
    async compare(at = newest, rewards = whole) {
      let found = 0
      for (const [column, value] of asked) {
        const where = [{ column, match: 'equals', value }] as const
        const columns = ['block', 'amount']
        const plan = { resource: l1Rewards, where, columns, limit: 50, offset: 3 }
        const { total, rows } = await pages.read({ by: 'search' }, plan, at)
        const wanted = rewards.filter((reward) => reward[column] === value)
        expect(total).toBe(wanted.length)
        expect(rows.map(({ block, amount }) => [block, amount])).toEqual(
          wanted.slice(3, 53).map(({ block, amount }) => [block, amount]),
        )
        found += rows.length
      }
      expect(found).toBeGreaterThan(0)
    },
  }
}

/** A sixth of the cases; all of them in the slow tier. */
const sample = <T>(cases: Readonly<Record<string, T>>) =>
  Object.entries(cases).filter((_, place) => place % scaled(6, 1) === 0)

const asked = [
  ['account_address', '1largest'],
  ['account_address', String(second[777]?.account_address)],
  ['gateway_address', String(first[1234]?.gateway_address ?? first[1235]?.gateway_address)],
  ['transaction_hash', String(second[4321]?.transaction_hash)],
] as const

const folders: Readonly<Record<string, (root: string) => string>> = {
  'outside of the lake': (root) => join(root, 'state'),
  'with an odd name': (root) => join(root, "st*te [1] {a,b} 'x' %20"),
  'given from the working folder': (root) => relative(process.cwd(), join(root, 'state')),
  'given by a detour': (root) => `${root}/a/../b/./state`,
}

it.each(sample(folders))('a state folder %s is read', async (_, folder) => {
  const state = folder(await temporaryFolder())
  await build(state)
  const { missing, areUsed, compare } = await open(state)
  expect(await missing()).toBe(0)
  await compare()
  expect(areUsed()).toBe(true)
})

describe('while they are served', () => {
  const losses: Readonly<Record<string, (place: string) => void>> = {
    'the folder is deleted': (place) => rmSync(dirname(dirname(place)), { recursive: true }),
    'a file is deleted': (place) => rmSync(parquetIn(place, 'copy-account_address')),
    'a file is emptied': (place) => writeFileSync(parquetIn(place, 'copy-account_address'), ''),
    'a file is cut': (place) => changeFile(parquetIn(place, 'pointers'), (all) => all.subarray(0, 5000)),
    'the end of a file is zeros': (place) =>
      changeFile(parquetIn(place, 'copy-gateway'), (all) => all.fill(0, all.length / 2)),
    'the rows of a file are zeros': (place) =>
      changeFile(parquetIn(place, 'copy-account'), (all) => all.fill(0, 4, all.length - 65_536)),
    'a byte of the rows of a file is another one': (place) =>
      changeFile(parquetIn(place, 'copy-account'), (all) => {
        all[1000] = 255 - (all[1000] ?? 0)
        return all
      }),
    'a byte of the end of a file is another one': (place) =>
      changeFile(parquetIn(place, 'copy-account'), (all) => {
        all[all.length - 60] = 255 - (all.at(-60) ?? 0)
        return all
      }),
  }

  it.each(sample(losses))('%s: answers stay right, and they can be built again', async (_, lose) => {
    const state = await builtFolder()
    const { sortedCopies, missing, areUsed, compare } = await open(state)
    expect(await missing()).toBe(0)
    expect(sortedCopies.lacks(newest)).toBe(false)
    lose(placeIn(state))
    await compare()
    expect(areUsed()).toBe(false)
    expect(sortedCopies.lacks(newest)).toBe(true)
    expect(await missing()).toBe(1)
    await build(state)
    expect(await missing()).toBe(0)
    await compare()
    expect(areUsed()).toBe(true)
  })
})

describe('sorted copies that are forgotten', () => {
  it('while a request reads them leave it to the table', async () => {
    let forgotten = 0
    const opened = await open(await builtFolder(), (engine) => ({
      ...engine,
      placed: {
        ...engine.placed,
        async rows(plan, at, signal) {
          if (opened.areUsed()) forgotten += 1
          await opened.sortedCopies.forget(newest.table(l1Rewards))
          return await engine.placed.rows(plan, at, signal)
        },
      },
    }))
    await opened.missing()
    await opened.compare()
    expect(forgotten).toBe(1)
  })

  it('late are those that were used, and not those that were built anew', async () => {
    const state = await builtFolder()
    const [one, other] = [await open(state), await open(state)]
    await one.missing()
    await other.missing()
    const table = newest.table(l1Rewards)
    const [used, usedByOther] = [one.sortedCopies.of(table), other.sortedCopies.of(table)]
    expect(usedByOther?.index).toBe(used?.index)
    expect(used?.copies.size).toBeGreaterThan(0)
    await one.sortedCopies.forget(table, used)
    expect(await one.missing()).toBe(1)
    await build(state)
    expect(await one.missing()).toBe(0)
    await one.sortedCopies.forget(table, used)
    expect(one.areUsed()).toBe(true)
    await other.sortedCopies.forget(table, usedByOther)
    expect(other.areUsed()).toBe(false)
    expect(await (await open(state)).missing()).toBe(0)
    expect(filesBelow(placeIn(state)).filter((name) => name.startsWith('orders.json'))).toEqual([
      'orders.json',
    ])
  })
})

describe('damaged sorted copies', () => {
  const faults: Readonly<Record<string, (place: string) => void | Promise<void>>> = {
    'without an index': (place) => rmSync(join(place, 'orders.json')),
    'with a cut index': (place) => changeFile(join(place, 'orders.json'), (all) => all.subarray(0, 300)),
    'with an index of another shape': (place) => writeFileSync(join(place, 'orders.json'), '{"tables": 7}'),
    'with an index that tells of other rows': (place) =>
      changeFile(join(place, 'orders.json'), (all) => Buffer.from(all.toString().replace('20480', '20479'))),
    'with those of other files of the table': async (place) => {
      await build(join(place, '../../..'), older)
      rmSync(place, { recursive: true })
      cpSync(placeIn(join(place, '../../..'), older), place, { recursive: true })
    },
    'with a file in the place of another one': (place) =>
      cpSync(parquetIn(place, 'copy-gateway'), parquetIn(place, 'copy-account')),
  }

  it.each(sample(faults))('%s are not used, and are replaced by the next build', async (_, spoil) => {
    const state = await builtFolder()
    await spoil(placeIn(state))
    const { missing, areUsed, compare } = await open(state)
    expect(await missing()).toBe(1)
    await compare()
    await build(state)
    expect(await missing()).toBe(0)
    await compare()
    expect(areUsed()).toBe(true)
    expect(building(state)).toEqual([])
  })
})

describe('builders', () => {
  it('at once in one folder do not hinder each other', async () => {
    const state = join(await temporaryFolder(), 'state')
    await Promise.all([build(state), build(state), build(state, older)])
    const { missing, areUsed, compare } = await open(state)
    expect(await missing()).toBe(0)
    await compare()
    expect(areUsed()).toBe(true)
    expect(building(state)).toEqual([])
  })

  it('of a table that changes meanwhile sort the rows that they began with', async () => {
    const own = join(await temporaryFolder(), 'lake')
    const state = join(own, '_state')
    await storeMadeUp(own, l1Rewards, { 'data_xaa.csv.gz': first })
    const before = await new Lake(own).latest()
    let commits: Promise<void> | undefined
    const sortedCopies = openSortedCopies(state, openTestWriter, 1)
    await sortedCopies.build(before, {
      onProgress: () => {
        commits ??= storeMadeUp(own, l1Rewards, { 'data_xab.csv.gz': second })
      },
    })
    await commits
    const after = await new Lake(own).latest()
    expect(await sortedCopies.load(before)).toEqual([])
    expect((await sortedCopies.load(after)).map(({ rows }) => rows)).toEqual([first.length + second.length])
    expect(sortedCopies.of(after.table(l1Rewards))).toBeUndefined()
  })

  it('remove what a killed builder left, also when there is nothing to build', async () => {
    const state = await builtFolder()
    const [space] = await spaceAndPid(state)
    // No process has such a number.
    mkdirSync(join(state, 'orders/building', `${space}-2147483646-aaaaaaaaaaaa-dead`, 'l1_rewards'), {
      recursive: true,
    })
    await build(state)
    expect(building(state)).toEqual([])
  })

  it('name the folder that they cannot write', async () => {
    const file = join(await temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect(build(join(file, 'state'))).rejects.toThrow(
      `${join(file, 'state/orders/building')} cannot be written (ENOTDIR)`,
    )
  })
})

it('an older snapshot is answered without the copies of the newest, and with its own', async () => {
  const state = await builtFolder()
  const { missing, areUsed, compare } = await open(state)
  expect(await missing()).toBe(0)
  expect(areUsed(older)).toBe(false)
  await compare(older, inListOrder({ first }))
  await build(state, older)
  expect(await missing(older)).toBe(0)
  await compare(older, inListOrder({ first }))
  await compare()
  expect([areUsed(older), areUsed()]).toEqual([true, true])
})

it('of the versions of a table the last two keep their sorted copies', async () => {
  const own = join(await temporaryFolder(), 'lake')
  const state = join(own, '_state')
  const sortedCopies = openSortedCopies(state, openTestWriter, 1)
  const versions: Snapshot[] = []
  for (const name of ['data_xaa.csv.gz', 'data_xab.csv.gz', 'data_xac.csv.gz']) {
    await storeMadeUp(own, l1Rewards, { [name]: first.slice(0, 100) })
    const at = await new Lake(own).latest()
    await build(state, at)
    expect(await sortedCopies.load(at)).toEqual([])
    versions.push(at)
  }
  expect(versions.map((at) => sortedCopies.of(at.table(l1Rewards)) !== undefined)).toEqual([
    false,
    true,
    true,
  ])
  expect(versions.map((at) => existsSync(placeIn(state, at)))).toEqual([false, true, true])
})

const building = (state: string) => readdirSync(join(state, 'orders/building'))

/** What the folder of a builder of this process begins with. */
async function spaceAndPid(state: string): Promise<readonly string[]> {
  let name = ''
  const stop = new AbortController()
  const onProgress = () => {
    name = building(state)[0] ?? ''
    stop.abort()
  }
  const options = { onProgress, signal: stop.signal }
  await openSortedCopies(state, openTestWriter, 1)
    .build(older, options)
    .catch(() => {})
  return name.split('-')
}

function parquetIn(place: string, folder: string): string {
  const [path] = filesBelow(place).filter((name) => name.startsWith(folder) && name.endsWith('.parquet'))
  return join(place, path ?? `no file of ${folder}`)
}

function changeFile(path: string, change: (all: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)))
}

it('sorted copies of a table that needs none are removed', async () => {
  const state = await temporaryFolder()
  const copy = join(state, 'orders', 'iot_reward_shares', '2025-01', 'data_0.parquet')
  mkdirSync(dirname(copy), { recursive: true })
  writeFileSync(copy, 'rows')
  await build(state)
  expect(readdirSync(join(state, 'orders')).sort()).toEqual(['building', 'l1_rewards'])
})
