import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake, openLake } from '../../src/lake/snapshot/lake.ts'
import { lakeOf } from '../support/tables/staged-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('a folder is opened as a lake', () => {
  const opening = async (make: (folder: string) => void, name = '') => {
    const folder = await temporaryFolder()
    make(folder)
    return await openLake(join(folder, name)).then(
      () => 'opened',
      (error) => String(error.message).replaceAll(folder, 'HERE'),
    )
  }

  it.each([
    ['that is empty', () => {}, '', 'opened'],
    ['in which an ingest has begun', (folder: string) => mkdirSync(join(folder, '_staging')), '', 'opened'],
    [
      'that has a table beside other things',
      (folder: string) => ['iot_reward_shares', 'notes'].map((name) => mkdirSync(join(folder, name))),
      '',
      'opened',
    ],
    [
      'that is missing',
      () => {},
      'none',
      'There is no lake at HERE/none; make one with: ledgerlake ingest PATH... --lake HERE/none',
    ],
    [
      'that is a file',
      (folder: string) => writeFileSync(join(folder, 'a'), ''),
      'a',
      'HERE/a is a file; use the folder of a lake.',
    ],
    [
      'that is a table',
      (folder: string) => mkdirSync(join(folder, 'a', '_delta_log'), { recursive: true }),
      'a',
      'HERE/a is one table; use the lake that it belongs to, HERE.',
    ],
    [
      'that has other things',
      (folder: string) => mkdirSync(join(folder, 'notes')),
      '',
      'HERE is not a lake: it has other things, such as notes, and no table; use a lake or an empty folder.',
    ],
  ])('or refused with a sentence: a folder %s', async (_, make, name, told) => {
    expect(await opening(make, name)).toBe(told)
  })
})

describe('a lake', () => {
  it('has no snapshot for an invalid id or for missing versions', async () => {
    const { lake } = await lakeOf(2)
    const opened = new Lake(lake)
    for (const id of ['', 'nothing', 'ooc7-0123456789ab', 'ooc1-0123456789ab', '7']) {
      expect(await opened.idOf(id)).toBeUndefined()
      expect(await opened.at(id)).toBeUndefined()
    }
    expect(await opened.idAt(new Map([[iotRewardShares, 7]]))).toBeUndefined()
    expect(await opened.idAt(new Map())).toBeUndefined()
    expect(await opened.idOf('1')).toBeUndefined()
    const { id } = await opened.latest()
    expect(await opened.idOf(id)).toBe(id)
  })

  it('without one of its tables is damaged', async () => {
    const { lake, table } = await lakeOf(1)
    const opened = new Lake(lake)
    await opened.latest()
    renameSync(table, `${table}-moved`)
    await expect(opened.latest()).rejects.toMatchObject({
      code: 'lake_damaged',
      message: `The table iot_reward_shares of ${lake} is gone; restore it from a copy.`,
    })
  })
})
