import { cp } from 'node:fs/promises'
import { ingestInto } from './build-lake.ts'
import { smallNetwork } from './fixtures.ts'
import { makeFolder, temporaryFolder } from './temporary-folder.ts'

const made = new Map<string, Promise<string>>()

/** A lake of the small network, which goes with the test or its file. */
export async function smallLake(commits?: Parameters<typeof copySmallLake>[1]): Promise<string> {
  const lake = await temporaryFolder()
  await copySmallLake(lake, commits)
  return lake
}

/** Puts a lake of the small network into a folder. It is ingested once for many test files, and copied. */
export async function copySmallLake(
  folder: string,
  commits: 'in one commit' | 'a commit for each file' = 'in one commit',
): Promise<void> {
  const lake = made.get(commits) ?? ingestSmallNetwork(commits === 'in one commit' ? 1_000_000 : 1)
  made.set(commits, lake)
  await cp(await lake, folder, { recursive: true })
}

async function ingestSmallNetwork(commitRows: number): Promise<string> {
  const { folder } = await makeFolder()
  const { stored, failed, refusedRows } = await ingestInto(folder, [smallNetwork], { commitRows })
  if (stored !== 29 || failed.length > 0 || refusedRows > 0)
    throw new Error('the small network was not taken in')
  return folder
}
