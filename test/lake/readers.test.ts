import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { readClock } from '../../src/lake/disk/this-machine.ts'
import { openReader, readVersionsInUse } from '../../src/lake/runs/readers.ts'
import { newRunId } from '../../src/lake/runs/run-owner.ts'
import { cleanUp } from '../support/clean-up.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const inUse = (lake: string) => readVersionsInUse(lake, iotRewardShares, readClock())
const versions = (...own: number[]) => new Map([[iotRewardShares, own]])

it('the last declaration of a reader counts, also if another one is still being written', async () => {
  const lake = await temporaryFolder()
  const reader = await openReader(lake)
  cleanUp(reader.close)
  await Promise.all([reader.declare(versions(3, 1)), reader.declare(versions(2))])
  expect(await inUse(lake)).toEqual([2])
  const [own = ''] = readdirSync(join(lake, '_readers'))
  const path = join(lake, '_readers', own, 'versions.json')
  writeFileSync(path, 'not written again')
  await reader.declare(versions(2))
  expect(readFileSync(path, 'utf8')).toBe('not written again')
  await reader.declare(versions(2, 4))
  expect(await inUse(lake)).toEqual([2, 4])
})

it('a reader declares nothing in a read-only lake, and does not fail', async () => {
  const lake = await temporaryFolder()
  writeFileSync(join(lake, '_readers'), 'a file')
  const reader = await openReader(lake)
  await reader.declare(versions(1))
  expect(await inUse(lake)).toEqual([])
  await reader.close()
  expect(readFileSync(join(lake, '_readers'), 'utf8')).toBe('a file')
})

it('the declaration of a dead process does not count', async () => {
  const lake = await temporaryFolder()
  const left = join(lake, '_readers', newRunId().replace(`-${process.pid}-`, '-2147483646-'))
  mkdirSync(left, { recursive: true })
  writeFileSync(join(left, 'versions.json'), '{"iot_reward_shares":[1]}')
  expect(await inUse(lake)).toEqual([])
})
