import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Oracle files read without the project's code, so that both can be held against each other. */

/** The fields of one protobuf message by number, in their order: varints as bigint, the others as bytes. */
export type RawFields = ReadonlyMap<number, readonly (bigint | Buffer)[]>

/** The messages of a gzip file of frames. */
export function readMessages(path: string): Buffer[] {
  const bytes = gunzipSync(readFileSync(path))
  const messages: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    messages.push(bytes.subarray(at + 4, end))
    at = end
  }
  return messages
}

export function readFields(message: Buffer): RawFields {
  const fields = new Map<number, (bigint | Buffer)[]>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(message.readUInt8(at))
      at += 1
      value |= (byte & 0x7fn) << shift
      if (byte < 0x80n) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const number = Number(tag >> 3n)
    let value: bigint | Buffer
    if ((tag & 7n) === 0n) value = varint()
    else if ((tag & 7n) === 2n) {
      const length = Number(varint())
      value = message.subarray(at, at + length)
      at += length
    } else throw new Error(`wire type ${tag & 7n} is not used by any oracle`)
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Public key bytes -> base58 of a zero byte, the key and the first four bytes of a double SHA-256. */
export function base58checkOf(raw: Uint8Array): string {
  const payload = Buffer.concat([Buffer.of(0), raw])
  const whole = Buffer.concat([payload, sha256(sha256(payload)).subarray(0, 4)])
  let rest = BigInt(`0x${whole.toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text
  const zeros = whole.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros) + text
}

/** What `base58checkOf` was made from, when the checksum is right. */
export function rawOf(address: string): Buffer {
  const zeros = address.length - address.replace(/^1+/, '').length
  let value = 0n
  for (const char of address) {
    const digit = ALPHABET.indexOf(char)
    if (digit < 0) throw new Error(`${address} is no base58`)
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16)
  const whole = Buffer.concat([
    Buffer.alloc(zeros),
    Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'),
  ])
  return whole.subarray(1, -4)
}
