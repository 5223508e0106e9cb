import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, sentenceOf } from '../errors.ts'
import { stagingFolder } from '../lake/layout.ts'

/** A folder of one run's files that no reader can see. It goes when the run ends, or when a later run starts. */
export interface StagingRun {
  readonly id: string
  readonly folder: string
  newFile(): string
  close(): Promise<void>
}

/** Errors: `lake_unwritable`. */
export async function openStagingRun(lake: string): Promise<StagingRun> {
  const parent = stagingFolder(lake)
  const id = `${process.pid}-${randomUUID()}`
  const folder = join(parent, id)
  try {
    await mkdir(folder, { recursive: true })
  } catch (cause) {
    fail('lake_unwritable', `The lake ${lake} cannot be written: ${sentenceOf(cause)}`, { cause })
  }
  await removeAbandoned(parent)
  return {
    id,
    folder,
    newFile: () => join(folder, `${randomUUID()}.parquet`),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A run names its process; when that is gone, nobody will finish what it staged. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1])
    if (Number.isInteger(pid) && !isAlive(pid)) await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
