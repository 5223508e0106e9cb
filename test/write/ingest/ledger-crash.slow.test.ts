import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, it, vi } from 'vitest'
import { l1Accounts } from '../../../src/catalog/l1/accounts.ts'
import { l1Packets } from '../../../src/catalog/l1/packets.ts'
import { l1Transactions } from '../../../src/catalog/l1/transactions.ts'
import { rejects } from '../../../src/catalog/lake/rejects.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { crash, crashAlong, crashing, endProcess } from '../../support/crash.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { leftoversOf } from '../../support/lakes/leftovers.ts'
import { rowsBySource } from '../../support/messages/record-files.ts'
import { readTable } from '../../support/tables/read-table.ts'
import { expectWholeLog } from '../../support/tables/whole-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

vi.mock('node:fs/promises', async (importOriginal) => {
  const { crashingCalls } = await import('../../support/crash.ts')
  return crashingCalls(await importOriginal())
})

/** Files are cut as soon as they have more than one chunk. */
vi.mock('../../../src/lake/facts/chunk.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/lake/facts/chunk.ts')>()
  const fewestFiles: typeof original.fewestFiles = (resource, rows) =>
    resource.access === undefined ? 1 : Math.max(1, Math.ceil(rows / original.chunkRowsOf(resource)))
  return { ...original, fewestFiles }
})

beforeEach(() => {
  crash.at = Number.POSITIVE_INFINITY
})

/** Beyond the whole numbers of a double. */
const big = 2n ** 60n

function writePart(input: string, folder: string, name: string, lines: readonly string[]): void {
  mkdirSync(join(input, folder), { recursive: true })
  writeFileSync(join(input, folder, name), gzipSync(lines.map((line) => `${line}\n`).join('')))
}

/** The second line is refused; the times of the others lie in two months. */
function writePackets(input: string, name: string, from: bigint): void {
  const packet = (hash: string, time: number, packets: bigint | string) =>
    `7,${hash}${from},${time},gateway,${packets},1`
  writePart(input, 'packets', name, [
    'block,transaction_hash,time,gateway,num_packets,num_dcs',
    packet('first', 1_640_995_200, big + from),
    packet('second', 1_640_995_200, 'many'),
    packet('third', 1_643_673_600, from),
  ])
}

async function packetsIn(lake: string): Promise<Readonly<Record<string, bigint>>> {
  const sums: Record<string, bigint> = {}
  for (const row of await readTable(lake, l1Packets.name, ['source_file', 'num_packets'])) {
    const name = String(row.source_file)
    sums[name] = (sums[name] ?? 0n) + (row.num_packets as bigint)
  }
  return sums
}

it('replacing a part of the archive is atomic', async () => {
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  const [a, b] = ['data_xaa.csv.gz', 'data_xab.csv.gz']
  writePackets(input, a, 1n)
  await ingestInto(before, [input])
  writePackets(input, a, 10n)
  writePackets(input, b, 100n)
  const [old, replaced, added] = [{ [a]: big + 2n }, { [a]: big + 20n }, { [b]: big + 200n }]
  const whole = { ...replaced, ...added }

  const seen = new Set<string>()
  const text = (sums: Readonly<Record<string, bigint>>) =>
    JSON.stringify(Object.entries(sums).map(String).sort())
  // Every call would take minutes; a commit by itself is gone through call by call in test/lake.
  const calls = await crashAlong(3, async (at) => {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    const ingest = () => ingestInto(lake, [input], { replace: true, commitRows: 1 })
    const goesOn = await crashing(ingest, at)
    endProcess(lake)
    seen.add(text(await packetsIn(lake)))
    await ingest()
    expect(await packetsIn(lake)).toEqual(whole)
    expect((await new Lake(lake).latest()).table(rejects).rows).toBe(2)
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  const states = [old, replaced, { ...old, ...added }, whole].map(text)
  expect([...seen].filter((state) => !states.includes(state))).toEqual([])
  expect([...seen]).toEqual(expect.arrayContaining([text(old), text(whole)]))
  expect(calls).toBeGreaterThan(90)
})

it('a part that becomes several files is committed with all of them or none', async () => {
  const folder = await temporaryFolder()
  const input = join(folder, 'in')
  const hashes = Array.from({ length: 9000 }, (_, at) => `hash${String(at).padStart(5, '0')}`)
  writePart(input, 'transactions', 'data_xaa.csv.gz', [
    'block,hash,type,fields,time',
    ...hashes.map((hash) => `7,${hash},payment_v2,{},1640995200`),
  ])
  const held = async (lake: string) => {
    const { files } = (await new Lake(lake).latest()).table(l1Transactions)
    const rows = await readTable(lake, l1Transactions.name, ['transaction_hash'])
    return { files: files.length, hashes: rows.map((row) => row.transaction_hash) }
  }
  const [nothing, whole] = [
    { files: 0, hashes: [] },
    { files: 3, hashes },
  ]
  const seen = new Set<number>()
  const calls = await crashAlong(1, async (at) => {
    const lake = join(folder, `lake-${at}`)
    const goesOn = await crashing(() => ingestInto(lake, [input]), at)
    endProcess(lake)
    const found = await held(lake)
    expect(found).toEqual(found.files === 0 ? nothing : whole)
    seen.add(found.files)
    await ingestInto(lake, [input])
    expect(await held(lake)).toEqual(whole)
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  expect([...seen].sort()).toEqual([0, 3])
  expect(calls).toBeGreaterThan(40)
})

it('replacing states by newer ones of the archive is atomic', async () => {
  const folder = await temporaryFolder()
  const [input, before] = [join(folder, 'in'), join(folder, 'before')]
  const header =
    'address,balance,nonce,dc_balance,dc_nonce,security_balance,security_nonce,first_block,last_block,staked_balance,mobile_balance,iot_balance'
  const account = (address: string, balance: bigint) => `${address},${balance},1,0,0,0,0,1,2,0,0,0`
  const give = (name: string, addresses: readonly string[], balance: bigint) =>
    writePart(input, 'account_inventory', name, [
      header,
      ...addresses.map((address) => account(address, balance)),
    ])
  give('data_xaa.csv.gz', ['a', 'b'], big)
  await ingestInto(before, [input])
  give('data_xab.csv.gz', ['b', 'c'], 1n)

  const seen = new Set<string>()
  const calls = await crashAlong(1, async (at) => {
    const lake = join(folder, `lake-${at}`)
    cpSync(before, lake, { recursive: true })
    const goesOn = await crashing(() => ingestInto(lake, [input]), at)
    endProcess(lake)
    seen.add(await balances(lake))
    await ingestInto(lake, [input])
    expect(await balances(lake)).toBe(`a ${big}, b 1, c 1`)
    expect(await rowsBySource(lake, l1Accounts)).toEqual({ 'data_xaa.csv.gz': 1, 'data_xab.csv.gz': 2 })
    expectWholeLog(lake)
    expect(leftoversOf(lake)).toEqual([])
    return goesOn
  })
  expect([...seen].sort()).toEqual([`a ${big}, b 1, c 1`, `a ${big}, b ${big}`])
  expect(calls).toBeGreaterThan(40)
})

async function balances(lake: string): Promise<string> {
  const rows = await readTable(lake, l1Accounts.name, ['address', 'balance'])
  return rows.map(({ address, balance }) => `${address} ${balance}`).join(', ')
}
