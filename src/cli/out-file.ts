import { constants, type Stats } from 'node:fs'
import { access, chmod, copyFile, lstat, open, readlink, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fail } from '../errors.ts'
import { isMissing, syncFolder } from '../lake/disk.ts'

/** What may be done with a file that is there. */
export interface OutRules {
  /** Whether the user allows that any file is replaced. */
  readonly force: boolean
  /** Whether a file that is there was written by the same command, which may replace it. */
  readonly isOwn?: (path: string) => Promise<boolean>
  /** Whether the bytes come in their order, so that they can go into a pipe or a device. */
  readonly isStreamed: boolean
}

/** The file that `--out` names. */
export interface OutFile {
  /**
   * Calls `write` with the path to write to, and gives the file its name once that is over. A pipe or a device is written to
   * directly. Errors: those of `write` and of the file system; then what was there before is as it was.
   */
  fill(write: (path: string) => Promise<void>): Promise<void>
}

/** As many as Linux follows. */
const MOST_LINKS = 40

/**
 * Looks at what is there before anything is written. Links are followed. A regular file is replaced only where the rules allow it; it
 * keeps its mode, its owner, and its other names. Errors: `malformed_request`.
 */
export async function openOutFile(out: string, rules: OutRules): Promise<OutFile> {
  const path = await followLinks(resolve(out))
  const found = await lookAt(path)
  if (found === undefined) return { fill: (write) => fillBeside(path, out, undefined, write) }
  const refuse = (what: string) => fail('malformed_request', `--out ${out} is ${what}.`)
  if (found.isDirectory()) refuse('a folder; name a file')
  if (found.isSocket() || found.isBlockDevice()) refuse('a socket or a disk; name a file or a pipe')
  if (!found.isFile()) {
    if (!rules.isStreamed) refuse('a pipe or a device, and this file is not written in one go; name a file')
    return { fill: (write) => write(path) }
  }
  const isFree = rules.force || found.size === 0 || (await rules.isOwn?.(path))
  if (!isFree) refuse('there already; name another file, or add --force to replace it')
  return { fill: (write) => fillBeside(path, out, found, write) }
}

/** The path behind links, which need not lead to anything yet. */
async function followLinks(path: string): Promise<string> {
  let target = path
  for (let links = 0; links < MOST_LINKS; links += 1) {
    // A link of the kernel, such as /dev/stdout, leads to what has no name.
    const isThere = (await lookAt(target)) !== undefined
    const next = await readlink(target).catch(() => undefined)
    if (next === undefined) return target
    const behind = resolve(dirname(target), next)
    if (isThere && (await lookAt(behind)) === undefined) return target
    target = behind
  }
  return fail('malformed_request', `--out ${path} is a link that leads to itself; name a file.`)
}

async function lookAt(path: string): Promise<Stats | undefined> {
  return await stat(path).catch((error) => {
    if (isMissing(error) || error.code === 'ELOOP') return undefined
    throw error
  })
}

/** Writes a file beside another one, and then in its place. */
async function fillBeside(
  path: string,
  out: string,
  found: Stats | undefined,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const beside = join(dirname(path), `${basename(path)}.${process.pid}.unfinished`)
  try {
    await access(dirname(path), constants.W_OK)
    await write(beside)
    if (found !== undefined) await chmod(beside, found.mode & 0o7777)
    await sync(beside)
    if (found !== undefined && (found.nlink > 1 || found.uid !== process.getuid?.())) {
      // A rename would take the file from its other names, or from its owner.
      await copyFile(beside, path)
      await sync(path)
      await rm(beside)
    } else {
      if (found === undefined && (await isTaken(path)))
        fail('malformed_request', `--out ${out} has come meanwhile; name another file.`)
      await rename(beside, path)
    }
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {})
    throw error
  }
}

const isTaken = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

async function sync(path: string): Promise<void> {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}
