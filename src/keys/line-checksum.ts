import { crc32 } from 'node:zlib'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 24 bits of the CRC-32 of a line, as four characters of base64url. */
export function checksumOf(text: string): string {
  const crc = crc32(text)
  const bits = ((crc & 0xff) << 16) | (crc & 0xff00) | ((crc >>> 16) & 0xff)
  const digit = (shift: number) => DIGITS[(bits >>> shift) & 63]
  return `${digit(18)}${digit(12)}${digit(6)}${digit(0)}`
}
