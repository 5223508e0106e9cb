import { gzipSync } from 'node:zlib'

/** Protobuf, frames and files by hand: a second writer, which knows nothing of the tables that are tested. */

/** A base-128 number; negative ones take ten bytes, as protobuf has it. */
export function varint(value: bigint | number): Buffer {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  do {
    const more = rest > 127n ? 128 : 0
    bytes.push(Number(rest & 127n) | more)
    rest >>= 7n
  } while (rest > 0n)
  return Buffer.from(bytes)
}

/** A field that holds a number. */
export function num(field: number, value: bigint | number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

/** A field that holds text, bytes or a message made of the parts. */
export function len(field: number, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)))
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content])
}

/** A decimal is a message with its text in field 1. */
export function dec(field: number, text: string): Buffer {
  return len(field, len(1, text))
}

export function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields)
}

/** A length of four bytes, big-endian, and the message. */
export function frame(content: Uint8Array): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(content.length)
  return Buffer.concat([header, content])
}

/** The bytes of an oracle file. */
export function frameFile(messages: readonly Uint8Array[]): Buffer {
  return gzipSync(Buffer.concat(messages.map(frame)))
}

/** The public key of the network's own test vector, and its text. */
export const vectorKey = Buffer.from(
  '00efffb8238e5513e63063d813cbf5e72124723fac78787e8e444e04b0cd101752',
  'hex',
)
export const vectorKeyText = '112phT6PPtLyQqkdnMppgWrTwdDpzzz2C7Q7agHQMhgpiPfsUh5N'

/** Seconds of a day's end, 2025-02-01T00:00:00Z, and of its start. */
export const dayEnd = 1_738_368_000
export const dayStart = dayEnd - 86_400

/** Both periods of a share whose day ends at `end`. */
export function period(end = dayEnd): Buffer {
  return message(num(1, end - 86_400), num(2, end))
}

/** An IoT share of an operational reward. */
export function operational(amount: bigint | number, end = dayEnd): Buffer {
  return message(period(end), len(4, num(1, amount)))
}
