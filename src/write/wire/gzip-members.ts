import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGunzip, createInflateRaw } from 'node:zlib'

/** A gzip file may be several members, one after the other; Node does not say where one ends. Source: RFC 1952. */

const FIXED_HEADER = 10
const TRAILER = 8
/** Longer headers than any file name needs are taken for garbage. */
const LONGEST_HEADER = 64 * 1024
const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 } as const

/** Each member is read twice, from a file that is opened anew. */
const MOST_MEMBERS = 256

/**
 * Where the first member that is not whole begins in a file that cannot be unpacked; undefined behind so many members that finding it would
 * take long. Errors: those of the file system.
 */
export async function brokenMember(path: string, size: number): Promise<number | undefined> {
  let start = 0
  for (let members = 0; members < MOST_MEMBERS; members += 1) {
    const end = await memberEnd(path, start)
    if (end === undefined || end >= size || !(await isWhole(path, start, end))) return start
    start = end
  }
  return undefined
}

/** Undefined when no member begins there, or its content cannot be unpacked. */
async function memberEnd(path: string, start: number): Promise<number | undefined> {
  const header = await headerBytes(path, start)
  if (header === undefined) return undefined
  const inflate = createInflateRaw()
  const isRead = await drain(path, { start: start + header }, inflate)
  return isRead ? start + header + inflate.bytesWritten + TRAILER : undefined
}

function isWhole(path: string, start: number, end: number): Promise<boolean> {
  return drain(path, { start, end: end - 1 }, createGunzip())
}

/** Unpacks a range of a file into nothing and says whether that went well. */
async function drain(
  path: string,
  range: { readonly start: number; readonly end?: number },
  unpack: ReturnType<typeof createGunzip | typeof createInflateRaw>,
): Promise<boolean> {
  const file = createReadStream(path, range)
  file.on('error', (error) => unpack.destroy(error))
  file.pipe(unpack).resume()
  try {
    await finished(unpack, { writable: false })
    return true
  } catch {
    return false
  } finally {
    file.destroy()
  }
}

async function headerBytes(path: string, start: number): Promise<number | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, start)
    return headerLength(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

function headerLength(bytes: Buffer): number | undefined {
  if (bytes.length < FIXED_HEADER || bytes.readUIntBE(0, 3) !== 0x1f8b08) return undefined
  const set = bytes.readUInt8(3)
  let at = FIXED_HEADER
  if (set & flags.extra) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : bytes.length)
  for (const text of [flags.name, flags.comment]) {
    if ((set & text) === 0) continue
    const zero = bytes.indexOf(0, at)
    if (zero < 0) return undefined
    at = zero + 1
  }
  if (set & flags.headerChecksum) at += 2
  return at <= bytes.length ? at : undefined
}
