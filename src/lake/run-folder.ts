import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from './disk.ts'

/** A folder that one process uses for a while. Its name contains the process id; a recent time of change shows that the process is alive. */
export interface RunFolder {
  readonly id: string
  readonly folder: string
  /** Ends its signs of life; the folder stays. */
  release(): void
}

const SIGN_OF_LIFE_MS = 3_600_000
const ABANDONED_AFTER_MS = 7 * 86_400_000

export async function openRunFolder(parent: string): Promise<RunFolder> {
  const id = await newRunId()
  const folder = join(parent, id)
  await makeFolder(folder)
  const signs = setInterval(() => {
    utimes(folder, new Date(), new Date()).catch(() => {})
  }, SIGN_OF_LIFE_MS).unref()
  return { id, folder, release: () => clearInterval(signs) }
}

/**
 * Takes over the folders of processes that are gone, or that were elsewhere and gave no sign of life for a week.
 * They get names of this process, so that nobody else takes them over too; and an owner that lives after all
 * finds nothing of its own any more that it could commit.
 */
export async function takeAbandoned(parent: string): Promise<readonly string[]> {
  const taken: string[] = []
  for (const name of await readdir(parent)) {
    if (!(await isAbandoned(parent, name))) continue
    const folder = join(parent, await newRunId())
    const isTaken = await rename(join(parent, name), folder).then(
      () => true,
      () => false,
    )
    if (isTaken) taken.push(folder)
  }
  return taken
}

/** Names of the folders of processes that are gone, or silent for a week; none when there is no parent. Changes nothing. */
export async function listAbandoned(parent: string): Promise<readonly string[]> {
  const abandoned: string[] = []
  for (const name of await readdir(parent).catch(() => []))
    if (await isAbandoned(parent, name)) abandoned.push(name)
  return abandoned
}

/** A folder for temporary files of this process that mean nothing to others; those of dead ones are removed. */
export async function openScratchFolder(parent: string): Promise<{ folder: string; close(): Promise<void> }> {
  const { folder, release } = await openRunFolder(parent)
  await removeAbandoned(parent)
  return {
    folder,
    async close() {
      release()
      await remove(folder)
    },
  }
}

/** Removes what dead processes left in a folder of scratch folders; it may be missing. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const abandoned of await takeAbandoned(parent).catch(() => [])) await remove(abandoned).catch(() => {})
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

async function isAbandoned(parent: string, name: string): Promise<boolean> {
  const found = await stat(join(parent, name)).catch(() => undefined)
  if (found === undefined) return false
  const [, space, pid] = /^([\da-f]{12})-(\d+)-/.exec(name) ?? []
  const isGone = space === (await processSpace()) && !(await isAlive(Number(pid), found.mtimeMs))
  return isGone || Date.now() - found.mtimeMs > ABANDONED_AFTER_MS
}

/** The first process of a container has the same number every time: what is older than it is not its own. */
async function isAlive(pid: number, seenAliveMs: number): Promise<boolean> {
  if (pid === process.pid) return seenAliveMs >= Date.now() - process.uptime() * 1000
  try {
    process.kill(pid, 0)
    return !(await isZombie(pid))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A process that was killed keeps its number until its parent asks for it, which some parents never do. */
async function isZombie(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return /^\d+ \(.*\) Z /s.test(status)
}

async function newRunId(): Promise<string> {
  return `${await processSpace()}-${process.pid}-${randomUUID()}`
}

/** Process numbers mean something only within one machine and, in containers, one namespace. */
async function processSpace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 12)
}
