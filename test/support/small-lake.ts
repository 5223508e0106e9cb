import { cpSync, existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inject } from 'vitest'
import { ingestInto } from './build-lake.ts'
import { smallNetwork } from './fixtures.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Commits = 'in one commit' | 'a commit for each file'

/** A lake of the small network, which goes with the test or its file. */
export async function smallLake(commits?: Commits): Promise<string> {
  const lake = await temporaryFolder()
  await copySmallLake(lake, commits)
  return lake
}

/** Puts a lake of the small network into a folder. It is ingested once for all test files of a run, and copied. */
export async function copySmallLake(folder: string, commits: Commits = 'in one commit'): Promise<void> {
  cpSync(await madeOnce(commits), folder, { recursive: true })
}

/** The lake that the first worker that needs it makes, and others wait for. */
async function madeOnce(commits: Commits): Promise<string> {
  const lake = join(inject('sharedFolder'), commits)
  while (!existsSync(lake)) {
    if (isFirst(`${lake} begun`))
      try {
        if (existsSync(lake)) break
        await ingestSmallNetwork(`${lake} new`, commits === 'in one commit' ? 1_000_000 : 1)
        renameSync(`${lake} new`, lake)
      } finally {
        rmdirSync(`${lake} begun`)
      }
    else await setTimeout(10)
  }
  return lake
}

function isFirst(sign: string): boolean {
  try {
    mkdirSync(sign)
    return true
  } catch {
    return false
  }
}

async function ingestSmallNetwork(lake: string, commitRows: number): Promise<void> {
  const { stored, failed, refusedRows } = await ingestInto(lake, [smallNetwork], { commitRows })
  if (stored !== 29 || failed.length > 0 || refusedRows > 0)
    throw new Error('the small network was not taken in')
}
