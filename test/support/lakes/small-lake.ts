import { smallNetwork } from '../fixtures.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ingestInto } from './build-lake.ts'
import { deriveAll } from './derive-all.ts'
import { copyOnceMade } from './once-a-run.ts'

const ways = {
  'in one commit': (lake: string) => ingestSmallNetwork(lake, 1_000_000),
  'a commit for each file': (lake: string) => ingestSmallNetwork(lake, 1),
  async 'with all indexes'(lake: string) {
    await copySmallLake(lake)
    await deriveAll(lake)
  },
}

/** A lake of the small network, which goes with the test or its file. */
export async function smallLake(way?: keyof typeof ways): Promise<string> {
  const lake = await temporaryFolder()
  await copySmallLake(lake, way)
  return lake
}

/** Puts a lake of the small network into a folder. It is ingested once for all test files of a run, and copied. */
export async function copySmallLake(folder: string, way: keyof typeof ways = 'in one commit'): Promise<void> {
  await copyOnceMade(way, folder, ways[way])
}

async function ingestSmallNetwork(lake: string, commitRows: number): Promise<void> {
  const { stored, failed, refusedRows } = await ingestInto(lake, [smallNetwork], { commitRows })
  if (stored !== 29 || failed.length > 0 || refusedRows > 0)
    throw new Error('the small network was not taken in')
}
