import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { expect, it } from 'vitest'
import { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import { Lake } from '../../src/lake/lake.ts'
import { ingestInto } from '../support/build-lake.ts'
import { smallNetwork } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const manifests = join(smallNetwork, 'oracle', 'foundation-iot-verified-rewards')

it('every hundredth commit is summed up in a checkpoint that holds what the entries hold', async () => {
  const folder = await temporaryFolder()
  const [inputs, lake] = [join(folder, 'in'), join(folder, 'lake')]
  mkdirSync(inputs)
  for (let file = 0; file < 102; file += 1) {
    copyFileSync(
      join(manifests, 'reward_manifest.1738110600186.gz'),
      join(inputs, `reward_manifest.${1738110600186 + file}.gz`),
    )
  }
  expect((await ingestInto(lake, [inputs], { commitRows: 1 })).stored).toBe(102)

  const log = join(lake, rewardManifests.name, '_delta_log')
  expect(
    readdirSync(log)
      .filter((name) => name.includes('checkpoint'))
      .sort(),
  ).toEqual(['00000000000000000100.checkpoint.parquet', '_last_checkpoint'])
  expect(JSON.parse(readFileSync(join(log, '_last_checkpoint'), 'utf8'))).toEqual({ version: 100, size: 103 })

  const file = await asyncBufferFromFile(join(log, '00000000000000000100.checkpoint.parquet'))
  const rows = (await parquetReadObjects({ file, compressors })) as Record<string, Record<string, unknown>>[]
  expect(rows.map((row) => Object.keys(row))[0]).toEqual(['txn', 'add', 'remove', 'metaData', 'protocol'])
  expect(rows.filter((row) => row.protocol).map((row) => row.protocol)).toEqual([
    { minReaderVersion: 1, minWriterVersion: 2 },
  ])
  expect(rows.filter((row) => row.metaData)).toHaveLength(1)
  expect(rows.find((row) => row.metaData)?.metaData?.partitionColumns).toEqual(['month'])

  const added = rows.flatMap((row) => (row.add ? [row.add] : []))
  const written = readEntries(log, 100)
    .filter((action) => action.add)
    .map((action) => action.add)
  expect(added.map(({ path, size, stats }) => ({ path, size: Number(size), stats }))).toEqual(
    written.map((add) => ({ path: add?.path, size: add?.size, stats: add?.stats })),
  )
  expect(added.map((add) => plain(add.tags))).toEqual(written.map((add) => add?.tags))
  expect(added.map((add) => plain(add.partitionValues))).toEqual(written.map((add) => add?.partitionValues))
  expect((await new Lake(lake).latest()).table(rewardManifests).rows).toBe(102)
})

function readEntries(log: string, last: number): Record<string, Record<string, unknown> | undefined>[] {
  return readdirSync(log)
    .filter((name) => /^\d{20}\.json$/.test(name) && Number.parseInt(name, 10) <= last)
    .sort()
    .flatMap((name) => readFileSync(join(log, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
}

/** A Parquet map as an object, whichever way the reader gives it. */
function plain(map: unknown): unknown {
  if (Array.isArray(map)) return Object.fromEntries(map.map(({ key, value }) => [key, value]))
  return map
}
