import { constants, cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { checkFacts, generatedFacts, storedFacts } from './facts.ts'
import type { MadeLake } from './make-lake.ts'
import { folderOf, type Workload } from './network.ts'

/**
 * The lake of a folder that `makeLake` filled, as a copy below `parent`, so that the folder stays as it is. Throws unless counts and
 * sums are those of the generator.
 */
export async function copyLake(
  parent: string,
  made: string,
  workload: Workload,
  say: (line: string) => void,
): Promise<MadeLake> {
  const [network, archive] = [folderOf(made, workload), join(made, 'archive')]
  for (const folder of [network, archive]) {
    if (!existsSync(folder)) throw new Error(`there is no ${folder}`)
  }
  const lake = join(parent, 'lake')
  cpSync(join(made, 'lake'), lake, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const at = await new Lake(lake).latest()
  checkFacts(storedFacts(at), generatedFacts(workload))
  say(`the lake of ${made} is copied, its counts and sums are those of the generator`)
  return { lake, at, network, archive, ingestSeconds: null, isCompacted: true }
}
