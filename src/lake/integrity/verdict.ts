import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { errorCodeOf, isMissing } from '../disk/disk.ts'
import { type Fingerprint, fingerprintOf, isSame, isSettled } from './fingerprint.ts'
import { hashInThread } from './hash-thread.ts'

/** A file and what its bytes must be. */
export interface DigestedFile {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  /** Whether it can be built anew from others. */
  readonly isDerived?: boolean
}

/** What was found when the bytes of a file were looked at. */
export interface Verdict {
  readonly file: DigestedFile
  /** The file as it was then; undefined when nothing was there. */
  readonly fingerprint: Fingerprint | undefined
  /** What is wrong with it; undefined when it is sound. */
  readonly fault: string | undefined
  /** Whether any later change gives another fingerprint. */
  readonly isSettled: boolean
  /** Bytes that were read. */
  readonly bytes: number
}

/** A verdict as JSON can say it, for other processes. */
export type WrittenVerdict = Omit<Verdict, 'fingerprint'> & { readonly fingerprint: readonly string[] | null }

export function writeVerdict({ fingerprint, ...verdict }: Verdict): WrittenVerdict {
  const numbers = fingerprint && [
    fingerprint.inode,
    fingerprint.size,
    fingerprint.modified,
    fingerprint.changed,
  ]
  return { ...verdict, fingerprint: numbers?.map(String) ?? null }
}

export function readVerdict({ fingerprint, ...verdict }: WrittenVerdict): Verdict {
  const [inode = 0n, size = 0n, modified = 0n, changed = 0n] = fingerprint?.map(BigInt) ?? []
  const found = fingerprint === null ? undefined : { inode, size, modified, changed }
  return { ...verdict, fingerprint: found }
}

/** A thread takes as long to be told of a file as the digest of so many bytes. */
const SMALL_BYTES = 131_072
const MOST_CHANGES = 5

/**
 * Compares the bytes of a file with its digest, off the event loop. Errors: those of the system, which may not be able to read
 * now what is sound: they say nothing of the bytes.
 */
export async function judge(given: DigestedFile, bytesPerSecond = 0): Promise<Verdict> {
  const { path, sha256, bytes, isDerived = false } = given
  const file = { path, sha256, bytes, isDerived }
  let found: Verdict | undefined
  for (let changes = 0; changes < MOST_CHANGES; changes += 1) {
    found = await look(file, bytesPerSecond)
    if (isSame(found.fingerprint, placeOf(file.path))) return found
  }
  return { ...(found as Verdict), fault: 'it changes while it is read' }
}

async function look(file: DigestedFile, bytesPerSecond: number): Promise<Verdict> {
  const { path, sha256, bytes } = file
  const fingerprint = placeOf(path)
  const none = { file, fingerprint, isSettled: false, bytes: 0 }
  if (fingerprint === undefined) return { ...none, fault: 'it is missing' }
  try {
    const settled = { ...none, isSettled: isSettled(fingerprint) }
    if (fingerprint.size < 0n) return { ...settled, fault: 'it is no file' }
    if (fingerprint.size !== BigInt(bytes))
      return { ...settled, fault: `it has ${fingerprint.size} bytes instead of ${bytes}` }
    const found =
      bytes <= SMALL_BYTES ? await hashSmall(path) : await hashInThread(path, bytes, bytesPerSecond)
    const fault = found === sha256 ? undefined : 'its SHA-256 is another one'
    return { ...settled, bytes, fault }
  } catch (error) {
    if (!isMissing(error)) throw error
    return { ...none, fingerprint: undefined, fault: 'it is missing' }
  }
}

/** Undefined when nothing is there. Errors: those of the system. */
function placeOf(path: string): Fingerprint | undefined {
  try {
    return fingerprintOf(path)
  } catch (error) {
    // A folder above it may be another kind of thing, or a link that leads in a circle.
    if (isMissing(error) || errorCodeOf(error) === 'ELOOP') return undefined
    throw error
  }
}

async function hashSmall(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}
