import { readFile } from 'node:fs/promises'
import { digestOf, errorCodeOf, isMissing } from '../disk/disk.ts'
import { type Fingerprint, fingerprintOf, isSame, isSettled } from './fingerprint.ts'
import { hashInThread } from './hash-thread.ts'

/** A file with its expected size and checksum. */
export interface DigestedFile {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  /** True if it can be rebuilt from other files. */
  readonly isDerived?: boolean
}

/** Result of a check of a file's bytes. */
export interface Verdict {
  readonly file: DigestedFile
  /** Fingerprint at the check; undefined for a missing file. */
  readonly fingerprint: Fingerprint | undefined
  /** Fault in words; undefined for a sound file. */
  readonly fault: string | undefined
  /** True if any later change will change the fingerprint. */
  readonly isSettled: boolean
  /** Bytes read. */
  readonly bytes: number
}

/** A verdict in JSON, for other processes. */
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
  return { ...verdict, fingerprint: fingerprint === null ? undefined : { inode, size, modified, changed } }
}

/** Below this size, messages to a thread cost more than the digest. */
const SMALL_BYTES = 131_072
const MOST_CHANGES = 5

/**
 * Compares the bytes of a file with its digest, off the event loop. Errors: those of the file system; they say nothing
 * about the bytes.
 */
export async function judge(
  { path, sha256, bytes, isDerived = false }: DigestedFile,
  bytesPerSecond = 0,
): Promise<Verdict> {
  const file = { path, sha256, bytes, isDerived }
  for (let changes = 1; ; changes += 1) {
    const verdict = await look(file, bytesPerSecond)
    if (isSame(verdict.fingerprint, readFingerprint(path))) return verdict
    if (changes === MOST_CHANGES) return { ...verdict, fault: 'it changes while it is read' }
  }
}

async function look(file: DigestedFile, bytesPerSecond: number): Promise<Verdict> {
  const { path, sha256, bytes } = file
  const fingerprint = readFingerprint(path)
  const unread = { file, fingerprint, isSettled: false, bytes: 0 }
  if (fingerprint === undefined) return { ...unread, fault: 'it is missing' }
  try {
    const settled = { ...unread, isSettled: isSettled(fingerprint) }
    if (fingerprint.size < 0n) return { ...settled, fault: 'it is not a file' }
    if (fingerprint.size !== BigInt(bytes))
      return { ...settled, fault: `it has ${fingerprint.size} bytes instead of ${bytes}` }
    const digest =
      bytes <= SMALL_BYTES ? digestOf(await readFile(path)) : await hashInThread(path, bytes, bytesPerSecond)
    const fault = digest === sha256 ? undefined : 'its SHA-256 is another one'
    return { ...settled, bytes, fault }
  } catch (error) {
    if (!isMissing(error)) throw error
    return { ...unread, fingerprint: undefined, fault: 'it is missing' }
  }
}

/** Returns undefined for a missing file. Errors: those of the file system. */
function readFingerprint(path: string): Fingerprint | undefined {
  try {
    return fingerprintOf(path)
  } catch (error) {
    // A parent may be a file, or a link in a circle.
    if (isMissing(error) || errorCodeOf(error) === 'ELOOP') return undefined
    throw error
  }
}
