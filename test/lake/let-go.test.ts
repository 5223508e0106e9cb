import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { readTableLog } from '../../src/lake/log/delta-log.ts'
import type { AddAction } from '../../src/lake/log/log-actions.ts'
import { DataFiles } from '../../src/lake/snapshot/data-files.ts'
import { lakeOf } from '../support/tables/staged-files.ts'
import { waitFor } from '../support/wait.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('a data file without a snapshot is released, and a data file that is requested again stays one object', async () => {
  const { table } = await lakeOf(1)
  const [[path, add]] = [...((await readTableLog(table))?.live ?? [])] as [[string, AddAction]]
  const files = new DataFiles()
  const held = { file: undefined as unknown }
  const ask = () => {
    held.file = files.of(iotRewardShares, table, path, add)
  }
  const letGo = async () => {
    const file = new WeakRef(held.file as object)
    held.file = undefined
    await waitFor(() => {
      collect()
      expect(file.deref() === undefined).toBe(true)
    })
  }
  const turns = async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      collect()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  ask()
  await letGo()
  // What the first leaves is tidied after that.
  ask()
  const again = new WeakRef(held.file as object)
  await turns()
  ask()
  expect(held.file === again.deref()).toBe(true)
  await letGo()
  await turns()
  ask()
  expect((held.file as { rows: number }).rows).toBe(1)
})
