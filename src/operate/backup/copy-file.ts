import { createHash } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fail } from '../../base/errors.ts'
import { hasCode, hashFile, isMissing, makeFolder, unlessMissing } from '../../lake/disk/disk.ts'

/** Expected size and checksum of a file. */
export interface Expected {
  readonly bytes: number
  /** SHA-256 in hex; undefined if none was recorded. The copy is then compared with the bytes read. */
  readonly sha256: string | undefined
}

export interface CopyOptions {
  /** Folder for temporary files, on the file system of the copy. */
  readonly scratch: string
  /** The same file in an older copy on the same file system. */
  readonly earlier?: string | undefined
  /** Links the file instead of copying it. */
  readonly link?: boolean
  /** Verifies a file that an older or an interrupted copy already has. */
  readonly verify?: boolean
  /** Called with the path of a file in an older copy that is damaged. */
  readonly onDamaged?: ((path: string) => void) | undefined
}

/** `kept`: the target or an older copy already had the file; `gone`: the source does not exist. */
export type CopyOutcome = 'copied' | 'linked' | 'kept' | 'gone'

const PLAINLY = constants.O_RDONLY | constants.O_NOFOLLOW

/**
 * Copies a file atomically, then reads the copy back to compare its digest.
 * Errors: `lake_damaged` if the source has another digest; `lake_unwritable` if the copy has; those of the file system.
 */
export async function copyFile(
  from: string,
  to: string,
  expected: Expected,
  { scratch, earlier, link: isLinked = false, verify = false, onDamaged }: CopyOptions,
): Promise<CopyOutcome> {
  if (await isThere(to, expected, verify)) return 'kept'
  await rm(to, { force: true })
  await makeFolder(dirname(to))
  if (
    earlier !== undefined &&
    (await isThere(earlier, expected, verify, onDamaged)) &&
    (await tryLink(earlier, to))
  )
    return 'kept'
  if (isLinked) return await linkVerified(from, to, expected, join(scratch, 'link'))
  const source = await openPlainly(from)
  if (source === undefined) return 'gone'
  const temporary = join(scratch, 'copy')
  try {
    const read = await copyBytes(source, temporary)
    refuseOther(from, read, expected)
    if ((await hashFile(temporary)) !== read)
      fail('lake_unwritable', `What was written to ${dirname(to)} reads back as other bytes; check its disk.`)
    await rename(temporary, to)
    return 'copied'
  } finally {
    await source.close()
    await rm(temporary, { force: true }).catch(() => {})
  }
}

/**
 * Returns true if a file has the expected size. Its digest was compared when it was copied; `verify` compares it again.
 */
async function isThere(
  path: string,
  { bytes, sha256 }: Expected,
  verify: boolean,
  onDamaged?: (path: string) => void,
): Promise<boolean> {
  const facts = await lstat(path).catch(unlessMissing)
  if (facts?.isFile() !== true || facts.size !== bytes || sha256 === undefined) return false
  if (!verify || (await hashFile(path)) === sha256) return true
  onDamaged?.(path)
  return false
}

async function openPlainly(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, PLAINLY)
  } catch (error) {
    if (isMissing(error)) return undefined
    if (hasCode(error, ['ELOOP']))
      fail('lake_damaged', `${path} is a symbolic link; put the file itself in its place.`)
    throw error
  }
}

/** Copies all bytes and returns their digest. */
async function copyBytes(source: FileHandle, to: string): Promise<string> {
  const digest = createHash('sha256')
  const bytes = source.createReadStream({ highWaterMark: 1 << 20, autoClose: false })
  // Read errors fail the pipeline; an error of closing changes no byte.
  bytes.on('error', () => {})
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      digest.update(chunk)
      yield chunk
    }
  }
  await pipeline(hashed, createWriteStream(to, { flags: 'w', flush: true }))
  return digest.digest('hex')
}

function refuseOther(path: string, sha256: string, expected: Expected): void {
  if (expected.sha256 === undefined || sha256 === expected.sha256) return
  fail(
    'lake_damaged',
    `${path} does not have the bytes that it was written with; put the file of an older copy in its place.`,
  )
}

/** Creates a hard link; returns false if the file system has none, or no more for this file. */
export async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (!hasCode(error, ['EMLINK', 'EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])) throw error
    return false
  }
}

/** Links a file under a temporary name, verifies its digest, then renames the link. */
async function linkVerified(
  from: string,
  to: string,
  expected: Expected,
  temporary: string,
): Promise<CopyOutcome> {
  const source = await openPlainly(from)
  if (source === undefined) return 'gone'
  await source.close()
  try {
    await rm(temporary, { force: true })
    if (!(await tryLink(from, temporary)))
      fail(
        'malformed_request',
        `--link cannot link ${from} to ${to}: use one file system that makes hard links.`,
      )
  } catch (error) {
    if (isMissing(error)) return 'gone'
    throw error
  }
  refuseOther(from, await hashFile(temporary), expected)
  await rename(temporary, to)
  return 'linked'
}
