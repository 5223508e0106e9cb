import fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { runFolder } from '../../../src/lake/disk/layout.ts'
import { readNewestTable } from '../../../src/lake/snapshot/snapshot.ts'
import { replaceBuiltin } from '../../support/replace-builtin.ts'
import { commitFiles, stageFile } from '../../support/tables/staged-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let refusal: string | undefined
replaceBuiltin(fs, ({ link }) => ({
  link: async (from, to) => {
    if (refusal !== undefined) throw Object.assign(new Error('link'), { code: refusal })
    await link(from, to)
  },
}))

it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'a file system on which link fails with %s is refused, and nothing is committed',
  async (code) => {
    const lake = await temporaryFolder()
    const staging = runFolder(lake, 'test')
    await fs.mkdir(staging, { recursive: true })
    const label = { operation: 'INGEST', runId: 'test' }
    const staged = [await stageFile(staging, 'a', ['a.gz'])]
    refusal = code
    const committed = commitFiles(lake, iotRewardShares, staged, label).finally(() => {
      refusal = undefined
    })
    const folder = join(lake, iotRewardShares.name, 'month=2025-01')
    await expect(committed).rejects.toMatchObject({
      code: 'lake_unwritable',
      message: expect.stringContaining(`${folder} makes no hard links`),
    })
    expect((await readNewestTable(lake, iotRewardShares)).version).toBe(-1)
    expect(await fs.readdir(folder)).toEqual([])
  },
)
