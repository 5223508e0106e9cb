import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { readersFolder } from '../../../src/lake/disk/layout.ts'
import { openReader } from '../../../src/lake/runs/readers.ts'
import { newRunId } from '../../../src/lake/runs/run-owner.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { soundLake, verifierOf } from '../../support/lakes/sound-lake.ts'

it('verify reports only entries of dead servers in _readers, with vacuum as their repair', async () => {
  const lake = await soundLake()
  const reader = await openReader(lake)
  cleanUp(() => reader.close())
  await reader.declare(new Map([[iotRewardShares, [0]]]))
  const notes = async () =>
    (await (await verifierOf(lake)).verify()).findings
      .filter(({ file }) => file.startsWith('_readers'))
      .map(({ level, kind, file, repair }) => ({ level, kind, file, repair }))
  expect(await notes()).toEqual([])
  const dead = newRunId().replace(`-${process.pid}-`, '-4194305-')
  mkdirSync(join(readersFolder(lake), dead))
  writeFileSync(join(readersFolder(lake), dead, 'versions.json'), '{}')
  expect(await notes()).toEqual([
    { level: 'note', kind: 'leftover', file: `_readers/${dead}`, repair: `ledgerlake vacuum --lake ${lake}` },
  ])
})
