import { mkdir } from 'node:fs/promises'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { runFolder } from '../../../src/lake/disk/layout.ts'
import { commitFiles, stageFile } from './staged-files.ts'

/**
 * A writer in a process of its own: LAKE PREFIX COUNT commits so many made-up sources, one by one.
 * Prints the name of each source once its commit has come back.
 */
const [lake = '', prefix = '', count = '0'] = process.argv.slice(2)
const staging = runFolder(lake, prefix)
await mkdir(staging, { recursive: true })
for (let number = 0; number < Number(count); number += 1) {
  const name = `${prefix}-${number}.gz`
  const staged = await stageFile(staging, name, [name])
  await commitFiles(lake, iotRewardShares, [staged], { operation: 'INGEST', runId: prefix })
  process.stdout.write(`${name}\n`)
}
