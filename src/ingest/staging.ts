import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readlink, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
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
  const id = `${await processSpace()}-${process.pid}-${randomUUID()}`
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

/** Process numbers mean something only within one machine and, in containers, one namespace. */
async function processSpace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 12)
}

const ABANDONED_AFTER_MS = 7 * 86_400_000

/** A run names its process; when that is gone, or was elsewhere and long ago, nobody will finish what it staged. */
async function removeAbandoned(parent: string): Promise<void> {
  const space = await processSpace()
  for (const name of await readdir(parent)) {
    const [, runSpace, pid] = /^([\da-f]{12})-(\d+)-/.exec(name) ?? []
    const found = await stat(join(parent, name)).catch(() => undefined)
    const isOld = found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS
    const isGone = runSpace === space && !isAlive(Number(pid))
    if (isGone || isOld) await rm(join(parent, name), { recursive: true, force: true })
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
