import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runFolder, stagingFolder } from '../../src/lake/disk/layout.ts'
import { waitForCommits } from '../../src/lake/runs/commit-sign.ts'
import { newRunId } from '../../src/lake/runs/run-owner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a restore waits for the commit of a running process, times out with its file name, and ignores dead processes', async () => {
  const lake = await temporaryFolder()
  await expect(waitForCommits(lake)).resolves.toBeUndefined()
  const dead = runFolder(lake, newRunId().replace(`-${process.pid}-`, '-4194305-'))
  mkdirSync(dead, { recursive: true })
  writeFileSync(join(dead, 'a.commit'), '')
  await expect(waitForCommits(lake, 0)).resolves.toBeUndefined()
  const own = runFolder(lake, newRunId())
  mkdirSync(own)
  writeFileSync(join(stagingFolder(lake), 'a file'), '')
  await expect(waitForCommits(lake, 0)).resolves.toBeUndefined()
  writeFileSync(join(own, 'b.commit'), '')
  await expect(waitForCommits(lake, 50)).rejects.toThrow(
    `Another command is committing to ${lake}; wait for it, or remove ${own}/b.commit if none is running, and run the same command again.`,
  )
})
