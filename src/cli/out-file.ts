import { constants, createReadStream, type Stats } from 'node:fs'
import { chmod, lstat, mkdtemp, open, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fail, sentenceOf } from '../base/errors.ts'
import { isMissing, syncFolder } from '../lake/disk/disk.ts'

/** Rules for an existing file. */
export interface OutRules {
  /** True if the user allows any file to be replaced. */
  readonly force: boolean
  /** Returns true if the same command wrote the existing file, which it may then replace. */
  readonly isOwn?: (path: string) => Promise<boolean>
  /** True if the bytes are written in order, so that a pipe or a device can receive them. */
  readonly isStreamed: boolean
}

/** The file named by `--out`. */
export interface OutFile {
  /**
   * Calls `write` with a temporary path, then renames it to the target. A pipe or a device is written directly, once a
   * program reads it or `signal` aborts.
   * Errors: those of `write` and of the file system; the existing file is then unchanged. `lake_unwritable` names the
   * temporary file if a file with other names or another owner could not be overwritten.
   */
  fill(write: (path: string) => Promise<void>, signal?: AbortSignal): Promise<void>
}

/** Limit of Linux. */
const MOST_LINKS = 40

/**
 * Checks the target before anything is written, following links. A regular file is replaced only if the rules allow it;
 * it keeps its mode, its owner and its other names.
 * Errors: `malformed_request`.
 */
export async function openOutFile(out: string, rules: OutRules): Promise<OutFile> {
  const path = await followLinks(resolve(out))
  const target = await lookAt(path)
  if (target === undefined) return { fill: (write) => fillBeside(path, out, undefined, write) }
  const refuse = (what: string) => fail('malformed_request', `--out ${out} is ${what}.`)
  if (target.isDirectory()) refuse('a folder; name a file')
  if (target.isSocket() || target.isBlockDevice()) refuse('a socket or a disk; name a file or a pipe')
  if (!target.isFile()) {
    if (!rules.isStreamed) refuse('a pipe or a device, and this file is not written in one go; name a file')
    return { fill: (write, signal) => (target.isFIFO() ? fillPipe(path, write, signal) : write(path)) }
  }
  const isFree = rules.force || target.size === 0 || (await rules.isOwn?.(path))
  if (!isFree) refuse('there already; name another file, or add --force to replace it')
  return { fill: (write) => fillBeside(path, out, target, write) }
}

const WAIT_FOR_READER_MS = 100

/**
 * Writes to a pipe. A blocking open would occupy a thread until a program reads the pipe, and no signal would end it.
 */
async function fillPipe(
  path: string,
  write: (path: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const held = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error) => {
      if (error.code === 'ENXIO') return undefined
      throw error
    })
    // Keep this descriptor open, so that the reader sees no end before the first byte.
    if (held !== undefined) return await write(path).finally(() => held.close())
    await setTimeout(WAIT_FOR_READER_MS, undefined, { signal })
  }
}

/** Resolves symbolic links; the target need not exist. */
async function followLinks(path: string): Promise<string> {
  let target = path
  for (let links = 0; links < MOST_LINKS; links += 1) {
    // A kernel link such as /dev/stdout may lead to a file without a name.
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

/**
 * Writes the file in a new private folder next to its target, then renames it. No other user can read the folder or put
 * links into it.
 */
async function fillBeside(
  path: string,
  out: string,
  replaced: Stats | undefined,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(`${path}.unfinished-`)
  const draft = join(folder, basename(path))
  let isKept = false
  try {
    await write(draft)
    if (replaced !== undefined) await chmod(draft, replaced.mode & 0o7777)
    await sync(draft)
    if (replaced !== undefined && (replaced.nlink > 1 || replaced.uid !== process.getuid?.())) {
      // A rename would detach the file from its other names or its owner.
      await overwrite(path, draft).catch((cause) => {
        isKept = true
        const sentence = `Cannot write ${out}: ${sentenceOf(cause)}. It may be incomplete now; the new file is whole in ${draft}.`
        fail('lake_unwritable', sentence, { cause })
      })
    } else {
      if (replaced === undefined && (await isTaken(path)))
        fail('malformed_request', `--out ${out} was created by another program; name another file.`)
      await rename(draft, path)
    }
    await syncFolder(dirname(path))
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Overwrites a file with the content of another. It reuses the existing blocks, so a full disk matters less. */
async function overwrite(path: string, source: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await writeFile(file, createReadStream(source))
    await file.truncate((await stat(source)).size)
    await file.sync()
  } finally {
    await file.close()
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
