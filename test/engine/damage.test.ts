import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { readFault } from '../../src/engine/duckdb/failures.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/duckdb-engine.ts'
import { Lake } from '../../src/lake/lake.ts'
import { ingestInto } from '../support/build-lake.ts'
import { craftArtifact, oneDay } from '../support/craft-artifacts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('files of different columns are no damage, whatever the engine says of them:', () => {
  it.each([
    ['the newer one first', ['new', 'old'], /schema mismatch/],
    ['the older one first', ['old', 'new'], /Binder Error/],
  ])('%s', async (_, order, told) => {
    const folder = await temporaryFolder()
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    onTestFinished(() => {
      connection.closeSync()
      instance.closeSync()
    })
    const pathOf = (name: string) => join(folder, `${name}.parquet`)
    await connection.run(`COPY (SELECT 1 AS a, 2 AS b) TO '${pathOf('new')}'`)
    await connection.run(`COPY (SELECT 1 AS a) TO '${pathOf('old')}'`)
    const files = order.map((name) => `'${pathOf(name)}'`).join(', ')
    const fault = await connection
      .runAndReadAll(`SELECT a, b FROM read_parquet([${files}])`)
      .catch((error: unknown) => error)
    expect((fault as Error).message).toMatch(told)
    expect(readFault(fault)).toBe(fault)
    expect(readFault(fault, pathOf('old'))).toBe(fault)
  })
})

it('a data file that is a link out of the lake is told as damage, with its name', async () => {
  const [lake, input, elsewhere] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]
  const artifact = craftArtifact(input, 'iot_reward_share', 1738110600999, [
    { ...oneDay, reward_type: 'operational_reward', amount: 1n },
  ])
  await ingestInto(lake, [artifact])
  const snapshot = await new Lake(lake).latest()
  const path = snapshot.table(iotRewardShares).files[0]?.path ?? ''
  renameSync(path, join(elsewhere, 'there.parquet'))
  symlinkSync(join(elsewhere, 'there.parquet'), path)
  const spillFolder = join(lake, '_state', 'spill')
  mkdirSync(spillFolder, { recursive: true })
  const engine = await openDuckdbEngine({
    folders: [lake],
    spillFolder,
    memoryMb: 256,
    threads: 1,
    connections: 1,
  })
  onTestFinished(() => engine.close())
  await expect(engine.count({ resource: iotRewardShares, where: [] }, snapshot)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: `${path} leads to a file outside the lake; restore it from a copy.`,
  })
})
