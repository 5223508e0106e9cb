import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { commitFiles } from '../../src/lake/commit.ts'
import { stageFile } from './stage-file.ts'

/**
 * A writer in a process of its own: LAKE PREFIX COUNT commits so many made-up sources, one by one.
 * Prints the name of each source once its commit has come back.
 */
const [lake = '', prefix = '', count = '0'] = process.argv.slice(2)
const staging = await mkdtemp(join(lake, '_staging-'))
for (let number = 0; number < Number(count); number += 1) {
  const name = `${prefix}-${number}.gz`
  const staged = await stageFile(staging, name, [name])
  await commitFiles(lake, iotRewardShares, [staged], { operation: 'INGEST', runId: prefix })
  process.stdout.write(`${name}\n`)
}
