import { gunzipSync, gzipSync } from 'node:zlib'
import type { Random } from '../../../src/write/sample/random.ts'
import { pick } from '../../support/network/draw.ts'
import { words } from '../../support/words.ts'

/** Changes of bytes and texts, drawn from a seed. */

const numbers = words(`0 -0 -1 1 00 2147483647 2147483648 4294967296 9007199254740993 1e9 0x10
  9223372036854775807 9223372036854775808 -9223372036854775809 18446744073709551616 NaN 1.5`)
const times =
  words(`0000-01-01 9999-12-31T23:59:59.999999Z 2025-02-30 2025-01-01T24:00:00Z 1969-12-31T23:59:59Z
  2025-01-01T00:00:00+14:00 2025-01-01T00:00:60Z 20250101 +275760-09-13 2025-W01-1`)
const oddTexts = [
  ...words(`' " % %00 %2 _ * {} [] null ../../../etc/passwd / true , ,, a,b __proto__ constructor`),
  ...['', ' ', '\0', '\ud800', '\u202e', '\\', "' OR 1=1 --", '\r\n', 'x'.repeat(5000)],
]

/** A text in the place of another: a number or an instant at an edge, or one that is hard to quote. */
export function oddText(random: Random): string {
  return pick([numbers, times, oddTexts][random.below(3)] ?? oddTexts, random)
}

/** A text with a few of its characters changed, or a number of it at an edge. */
export function changeText(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const end = Math.min(text.length, at + 1 + random.below(random.chance(0.7) ? 3 : 40))
  const inserted = random.chance(0.5) ? String.fromCharCode(32 + random.below(96)) : oddText(random)
  const ways = [
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, at) + inserted + text.slice(at),
    () => text.slice(0, at) + inserted + text.slice(end),
    () => text.slice(0, end) + text.slice(at),
    () => text.slice(0, at),
    () => changeNumber(text, random),
  ]
  return pick(ways, random)()
}

function changeNumber(text: string, random: Random): string {
  const found = [...text.matchAll(/\d+/g)]
  if (found.length === 0) return text + pick(numbers, random)
  const { 0: digits, index } = pick(found, random)
  const other = random.chance(0.5) ? pick(numbers, random) : `${BigInt(digits) + BigInt(random.below(3) - 1)}`
  return text.slice(0, index) + other + text.slice(index + digits.length)
}

/** Text that has an encoding: halves of characters become the replacement character. */
export const wellFormed = (text: string) => Buffer.from(text).toString()

const edgeBytes = [0, 1, 0x7f, 0x80, 0xff, 0x22, 0x2c, 0x0a, 0x0d]

/** Bytes with some of them changed: flipped, cut, doubled, put in, or a length that is far too great. */
export function changeBytes(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes)
  const at = random.below(copy.length + 1)
  const end = Math.min(copy.length, at + 1 + random.below(random.chance(0.7) ? 8 : 400))
  const to = random.below(copy.length + 1)
  const ways = [
    () => withByte(copy, at, (copy[at] ?? 0) ^ (1 << random.below(8))),
    () => withByte(copy, at, pick(edgeBytes, random)),
    () => copy.subarray(0, at),
    () => Buffer.concat([copy.subarray(0, at), copy.subarray(end)]),
    () => Buffer.concat([copy.subarray(0, end), copy.subarray(at)]),
    () => Buffer.concat([copy.subarray(0, at), random.bytes(1 + random.below(9)), copy.subarray(at)]),
    () => Buffer.concat([copy.subarray(0, to), copy.subarray(at, end), copy.subarray(to)]),
    () => Buffer.concat([copy.subarray(0, at), pick(lengths, random), copy.subarray(at + 4)]),
  ]
  return pick(ways, random)()
}

const lengths = ['ffffffff', '7fffffff', '00e4e1c0', '00e4e1c1', '00000000', '80808080'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  if (at < bytes.length) bytes[at] = value
  return bytes
}

/** A gzip file with its content changed, or now and then its own bytes. */
export function changeGzip(bytes: Buffer, random: Random, change = changeBytes): Buffer {
  if (random.chance(0.3)) return changeBytes(bytes, random)
  try {
    return gzipSync(change(gunzipSync(bytes, { maxOutputLength: 2 ** 24 }), random))
  } catch {
    return changeBytes(bytes, random)
  }
}
