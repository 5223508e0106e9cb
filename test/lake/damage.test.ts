import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../src/base/errors.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { readTableLog } from '../../src/lake/log/delta-log.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { foreignEntry } from '../support/tables/log-entries.ts'
import { lakeOf } from '../support/tables/staged-files.ts'
import { scaled } from '../support/tier.ts'

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** The work must fail with `lake_damaged` and a sentence that names the file. */
async function expectDamage(work: Promise<unknown>, file: string, expected = 'lake_damaged'): Promise<void> {
  const fault = await faultOf(work)
  expect(fault).toBeInstanceOf(ServiceError)
  const { code, message, status } = fault as ServiceError
  expect(code).toBe(expected)
  expect(status).toBe(503)
  expect(message).toContain(file)
  expect(message).toMatch(/\.$/)
}

it('an undamaged lake is read without a warning', async () => {
  const { table, lake } = await lakeOf(3)
  expect((await readTableLog(table))?.live.size).toBe(3)
  expect((await new Lake(lake).latest()).table(iotRewardShares).files).toHaveLength(3)
})

describe('a missing log entry', () => {
  it.each([0, 1, 2, 3])('of version %i is reported', async (version) => {
    const { lake, table, entry } = await lakeOf(5)
    await rm(entry(version))
    await expectDamage(readTableLog(table), entry(version))
    await expectDamage(new Lake(lake).latest(), entry(version))
  })

  it('at the very beginning is never replaced by the next commit', async () => {
    const { entry, commit } = await lakeOf(3)
    await rm(entry(0))
    await expectDamage(commit('share-3.gz'), entry(0))
    expect(await faultOf(readFile(entry(0)))).toMatchObject({ code: 'ENOENT' })
  })

  it('fails a reader that continues from an earlier version', async () => {
    const { table, entry } = await lakeOf(2)
    const from = await readTableLog(table, { version: 0 })
    const entries = await Promise.all([0, 1].map((version) => readFile(entry(version))))
    await rm(entry(1))
    await writeFile(entry(2), entries[1] ?? '')
    await expectDamage(readTableLog(table, { from }), entry(1))
  })

  it('does not affect the versions before it', async () => {
    const { table, entry } = await lakeOf(5)
    await rm(entry(3))
    expect((await readTableLog(table, { version: 2 }))?.live.size).toBe(3)
    await expectDamage(readTableLog(table, { version: 4 }), entry(3))
  })
})

describe('a cut log entry', () => {
  it('is reported wherever it was cut', async () => {
    const { table, entry } = await lakeOf(2)
    const from = await readTableLog(table, { version: 0 })
    const whole = await readFile(entry(1))
    const accepted: number[] = []
    for (let length = 0; length < whole.length; length += scaled(3, 1)) {
      await writeFile(entry(1), whole.subarray(0, length))
      const fault = await faultOf(readTableLog(table, { from }))
      if (!isDamageOf(fault, entry(1))) accepted.push(length)
    }
    expect(accepted).toEqual([])
  })

  it('is reported if zeros replaced its end', async () => {
    const { table, entry } = await lakeOf(2)
    const whole = await readFile(entry(1))
    await writeFile(entry(1), Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100)]))
    await expectDamage(readTableLog(table), entry(1))
  })
})

describe('a flipped bit', () => {
  it('in a log entry is found in any bit of program and digest, and in one bit of every other byte', async () => {
    const { table, entry } = await lakeOf(2)
    const from = await readTableLog(table, { version: 0 })
    const whole = await readFile(entry(1))
    const [start, end] = [whole.indexOf('"engineInfo"'), whole.indexOf('\n')]
    expect(start).toBeGreaterThan(0)
    const accepted: string[] = []
    for (let at = 0; at < whole.length; at += scaled(5, 1)) {
      for (const bit of at >= start && at <= end ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8]) {
        const flipped = Buffer.from(whole)
        flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << bit), at)
        await writeFile(entry(1), flipped)
        const fault = await faultOf(readTableLog(table, { from }))
        if (!isDamageOf(fault, entry(1))) accepted.push(`bit ${bit} of byte ${at}`)
      }
    }
    expect(accepted).toEqual([])
  })
})

describe('an entry of another program', () => {
  it('that requires a newer reader is refused with both versions', async () => {
    const { lake, table, entry } = await lakeOf(2)
    const protocol = { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: ['deletionVectors'] }
    await writeFile(entry(2), foreignEntry({ protocol }))
    await expectDamage(readTableLog(table), entry(2), 'lake_unsupported')
    await expectDamage(new Lake(lake).latest(), 'version 3', 'lake_unsupported')
    expect((await readTableLog(table, { version: 1 }))?.version).toBe(1)
  })

  it.each([
    [{ minWriterVersion: 5 }, 'version 5;'],
    [{ minWriterVersion: 8, writerFeatures: ['appendOnly'] }, 'version 8;'],
    [
      { minWriterVersion: 7, writerFeatures: ['appendOnly', 'rowTracking', 'x'] },
      'version 7 with rowTracking, x;',
    ],
  ])('that requires only a newer writer, %j, is read, but no commit follows it', async (own, told) => {
    const { table, entry, commit } = await lakeOf(2)
    await writeFile(entry(2), foreignEntry({ protocol: { minReaderVersion: 1, ...own } }))
    expect((await readTableLog(table))?.version).toBe(2)
    await expectDamage(commit('share-2.gz'), `${table} asks for Delta writer ${told}`, 'lake_unsupported')
    expect(await faultOf(readFile(entry(3)))).toMatchObject({ code: 'ENOENT' })
  })

  it('that adds a file without tags is refused with the name of that file', async () => {
    const { lake, table, entry } = await lakeOf(2)
    const add = {
      path: 'month=2025-01/part-00000-of-spark.snappy.parquet',
      partitionValues: { month: '2025-01' },
      size: 4,
      modificationTime: 1_738_110_600_000,
      dataChange: true,
      stats: '{"numRecords":1}',
    }
    const { id } = await new Lake(lake).latest()
    await writeFile(entry(2), foreignEntry({ add }))
    await expectDamage(new Lake(lake).latest(), join(table, add.path))
    expect((await (await new Lake(lake).at(id))?.table(iotRewardShares))?.files).toHaveLength(2)
  })

  it('that adds a file with foreign tags is refused too', async () => {
    const { lake, table, entry } = await lakeOf(1)
    const add = {
      path: 'part-1%20of%202.parquet',
      partitionValues: { month: '2025-01' },
      size: 4,
      modificationTime: 1_738_110_600_000,
      dataChange: true,
      tags: { 'ledgerlake.sha256': 'ab'.repeat(32), INSERTION_TIME: '1738110600000000' },
    }
    await writeFile(entry(1), foreignEntry({ add }))
    await expectDamage(new Lake(lake).latest(), join(table, 'part-1 of 2.parquet'))
  })

  it('that removes a file takes it out of the table', async () => {
    const { lake, table, entry } = await lakeOf(2)
    const first = [...((await readTableLog(table, { version: 0 }))?.live.keys() ?? [])][0] ?? ''
    const remove = {
      path: first.replace('=', '%3D'),
      deletionTimestamp: 1_738_110_600_000,
      dataChange: true,
    }
    await writeFile(entry(2), foreignEntry({ remove }))
    const { files } = (await new Lake(lake).latest()).table(iotRewardShares)
    expect(files.flatMap((file) => file.sources.map((source) => source.name))).toEqual(['share-1.gz'])
  })
})

it('a commit to a damaged table leaves no data file behind', async () => {
  const { table, entry, commit } = await lakeOf(3)
  const files = async () => (await readdir(join(table, 'month=2025-01'))).sort()
  const before = await files()
  await rm(entry(1))
  await expectDamage(commit('share-3.gz'), entry(1))
  expect(await files()).toEqual(before)
})

function isDamageOf(fault: unknown, file: string): boolean {
  return fault instanceof ServiceError && fault.code === 'lake_damaged' && fault.message.includes(file)
}
