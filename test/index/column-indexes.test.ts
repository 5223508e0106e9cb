import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findBlocked } from '../../src/answers/rows/blocked-rows.ts'
import { runAtOnce } from '../../src/base/slices.ts'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { columnIndexes } from '../../src/index/index-file.ts'
import { openRowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import type { Snapshot, TableSnapshot } from '../../src/lake/snapshot/snapshot.ts'
import { storeMadeUp } from '../support/lakes/store-made-up.ts'
import { inListOrder } from '../support/network/reward-list.ts'
import { drawManyRewards } from '../support/network/rewards.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** Indexes are disposable: whatever happens to them, rows are those of the table or are not found here. */

const sources = drawManyRewards()
const rowsOf = (name: string) => (sources[name] ?? []).slice(0, scaled(12_000, 40_000))
const [first, second] = [rowsOf('data_xaa.csv.gz'), rowsOf('data_xab.csv.gz')]
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

const openIn = (stateFolder: string) => openRowBlocks(stateFolder, openTestWriter, { worthwhileRows: 1 })

it('an index has another name when a release sorts the table in another order', () => {
  const { files } = newest.tables.find(({ resource }) => resource === l1Rewards) as TableSnapshot
  const [leading, ...rest] = l1Rewards.order
  const namesOf = (resource: Resource) => columnIndexes({ resource, files }).map(({ source }) => source)
  const reordered = namesOf({ ...l1Rewards, order: [...rest, ...(leading === undefined ? [] : [leading])] })
  expect(some(namesOf(l1Rewards)).filter((name) => reordered.includes(name))).toEqual([])
})

async function build(stateFolder: string, at = newest): Promise<void> {
  const blocks = openIn(stateFolder)
  await blocks.build(at).finally(() => blocks.close())
}

/** A copy of what was built, which is much less work than to build it. */
async function builtFolder(): Promise<string> {
  const state = join(await temporaryFolder(), 'state')
  cpSync(built, state, { recursive: true })
  return state
}

const asked = [
  ['account_address', '1largest'],
  ['account_address', String(second[777]?.account_address)],
  ['gateway_address', String(first[1234]?.gateway_address ?? first[1235]?.gateway_address)],
  ['transaction_hash', String(second[4321]?.transaction_hash)],
] as const

function open(stateFolder: string) {
  const blocks = openIn(stateFolder)
  onTestFinished(() => blocks.close())
  return {
    blocks,
    missing: async (at = newest) => (await blocks.load(at)).length,
    columns: (at = newest) => blocks.ordersOf(at.table(l1Rewards)).map(({ column }) => column),
    /** Asks by every column that is sorted by, and compares with all rewards; counts those that indexes find. */
    compare(at = newest, rewards = whole) {
      let found = 0
      for (const [column, value] of asked) {
        const where = [{ column, match: 'equals', value }] as const
        const rows = blocks.attempt(() => {
          const search = findBlocked(blocks, { resource: l1Rewards, where, offset: 3, limit: 50 }, at)
          const all = search && runAtOnce(search.rows({ start: 3, end: 53 }))
          return all && { total: all.total, page: all.read(3, 53, ['block', 'amount']) }
        })
        if (rows === undefined) continue
        const wanted = rewards.filter((reward) => reward[column] === value)
        const page = wanted.slice(3, 53).map(({ block, amount }) => ({ block, amount }))
        expect(rows).toEqual({ total: wanted.length, page })
        found += 1
      }
      return found
    },
  }
}

const { pointers, sorted } = l1Rewards.access
const ofColumns: readonly string[] = [...pointers, ...sorted]

/** A sixth of the cases; all of them in the slow tier. */
const sample = <T>(cases: Readonly<Record<string, T>>) =>
  Object.entries(cases).filter((_, place) => place % scaled(6, 1) === 0)

const folders: Readonly<Record<string, (root: string) => string>> = {
  'outside of the lake': (root) => join(root, 'state'),
  'with an odd name': (root) => join(root, "st*te [1] {a,b} 'x' %20"),
  'given from the working folder': (root) => relative(process.cwd(), join(root, 'state')),
  'given by a detour': (root) => `${root}/a/../b/./state`,
}

it.each(sample(folders))('a state folder %s is read', async (_, folder) => {
  const state = folder(await temporaryFolder())
  await build(state)
  const { missing, columns, compare } = open(state)
  expect(await missing()).toBe(0)
  expect(columns()).toEqual(ofColumns)
  expect(compare()).toBe(asked.length)
})

it('an index by column has the rows with a value, and its file name has the digest of its inputs', () => {
  const names = readdirSync(join(built, 'index', 'l1_rewards')).sort()
  expect(
    names.filter((name) => !name.startsWith('list-')).map((name) => name.replace(/[0-9a-f]{64}/, '#')),
  ).toEqual(ofColumns.map((name) => `${name}-#.blocks`).sort())
  expect(readdirSync(built)).toEqual(['index'])
})

describe('while indexes are served', () => {
  const losses: Readonly<Record<string, (path: string) => void>> = {
    'the rows of an index are zeros': (path) => changeFile(path, (all) => all.fill(0, 16, all.length >> 1)),
    'an index is emptied': (path) => writeFileSync(path, ''),
    'an index is cut': (path) => changeFile(path, (all) => all.subarray(0, 5000)),
    'a byte of the rows is another one': (path) =>
      changeFile(path, (all) => {
        for (let at = 1000; at < all.length >> 1; at += 1000) all[at] = 255 - (all[at] ?? 0)
        return all
      }),
  }

  it.each(sample(losses))('%s: no response is wrong, and the index is rebuilt', async (_, lose) => {
    const state = await builtFolder()
    const { blocks, missing, columns, compare } = open(state)
    expect(await missing()).toBe(0)
    lose(pathIn(state, 'account_address'))
    compare()
    expect(columns()).not.toContain('account_address')
    expect(blocks.lacks(newest)).toBe(true)
    expect(await missing()).toBe(1)
    await build(state)
    expect(await missing()).toBe(0)
    expect(compare()).toBe(asked.length)
  })

  it('the folder is deleted: responses stay right, because the files are open', async () => {
    const state = await builtFolder()
    const { missing, compare } = open(state)
    expect(await missing()).toBe(0)
    rmSync(join(state, 'index'), { recursive: true })
    expect(compare()).toBe(asked.length)
  })
})

describe('an index', () => {
  it('with the name of another one is not used, and is replaced by the next build', async () => {
    const state = await builtFolder()
    cpSync(pathIn(state, 'gateway_address'), pathIn(state, 'account_address'))
    const { missing, columns, compare } = open(state)
    expect(await missing()).toBe(1)
    expect(columns()).toEqual(ofColumns.filter((name) => name !== 'account_address'))
    compare()
    await build(state)
    expect(await missing()).toBe(0)
    expect(compare()).toBe(asked.length)
  })

  it('of other data files is used for the snapshot that has them alone', async () => {
    const state = await builtFolder()
    const { missing, columns, compare } = open(state)
    expect(await missing()).toBe(0)
    expect(columns(older)).toEqual([])
    await build(state, older)
    expect(await missing(older)).toBe(0)
    expect(compare(older, inListOrder({ first }))).toBe(asked.length)
    expect(columns()).toEqual([])
  })
})

describe('builders', () => {
  it('at once in one folder do not hinder each other', async () => {
    const state = join(await temporaryFolder(), 'state')
    await Promise.all([build(state), build(state)])
    const { missing, compare } = open(state)
    expect(await missing()).toBe(0)
    expect(compare()).toBe(asked.length)
    expect(building(state)).toEqual([])
  })

  it('of files in commit order build no index by column, and remove none', async () => {
    const state = await builtFolder()
    const lists = openRowBlocks(state, openTestWriter, { worthwhileRows: 1, isFileOrderOnly: true })
    await lists.build(older)
    lists.close()
    expect(existsSync(pathIn(state, 'account_address'))).toBe(true)
    const fresh = join(await temporaryFolder(), 'state')
    const only = openRowBlocks(fresh, openTestWriter, { worthwhileRows: 1, isFileOrderOnly: true })
    await only.build(newest)
    only.close()
    const names = readdirSync(join(fresh, 'index', 'l1_rewards'))
    expect(names.filter((name) => !name.startsWith('list-'))).toEqual([])
    expect(names.length).toBe(newest.table(l1Rewards).files.length)
  })

  it('remove the folders of older releases, and indexes that no snapshot needs', async () => {
    const state = await temporaryFolder()
    for (const name of ['orders/l1_rewards/abc', 'row-blocks/l1_rewards', 'index/l1_rewards']) {
      mkdirSync(join(state, name), { recursive: true })
      writeFileSync(join(state, name, 'block-00.blocks'), 'rows')
    }
    await build(state)
    expect(readdirSync(state)).toEqual(['index'])
    expect(existsSync(join(state, 'index/l1_rewards/block-00.blocks'))).toBe(false)
  })

  it('remove the files of a killed builder, also if there is nothing to build', async () => {
    const state = await builtFolder()
    const [space] = await spaceAndPid(state)
    // No process has such a number.
    mkdirSync(join(state, 'index/building', `${space}-2147483646-aaaaaaaaaaaa-dead`, 'l1_rewards'), {
      recursive: true,
    })
    await build(state)
    expect(building(state)).toEqual([])
  })

  it('name the folder that they cannot write', async () => {
    const file = join(await temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect(build(join(file, 'state'))).rejects.toThrow(
      `${join(file, 'state/index/building')} cannot be written (ENOTDIR)`,
    )
  })
})

const building = (state: string) => readdirSync(join(state, 'index/building'))

/** What the folder of a builder of this process begins with. */
async function spaceAndPid(state: string): Promise<readonly string[]> {
  let name = ''
  const stop = new AbortController()
  const onProgress = () => {
    name = building(state)[0] ?? ''
    stop.abort()
  }
  await openIn(state)
    .build(older, { onProgress, signal: stop.signal })
    .catch(() => {})
  return name.split('-')
}

function pathIn(state: string, column: string): string {
  const folder = join(state, 'index', 'l1_rewards')
  const name = readdirSync(folder).find((own) => own.startsWith(`${column}-`))
  return join(folder, name ?? `no index by ${column}`)
}

function changeFile(path: string, change: (all: Buffer) => Buffer): void {
  writeFileSync(path, change(readFileSync(path)))
}
