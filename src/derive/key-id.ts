/** Ids that lead to a row by its natural key, such as an address or the hash of a transaction. */

/** The characters of base58 and base64url in the order of their bytes: 6 bits each. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const LAST = ALPHABET.length - 1
/** 120 bits and two that are always 0: all that a version 8 UUID leaves. Five characters fill 30 of 32 bits. */
const CHARACTERS = 20
const ID = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A UUID of any version, in any letter case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Ids are written here: bytes take a fraction of the time that texts take which are put together. */
const written = Buffer.alloc(36, '-')
const DIGITS = Buffer.from('0123456789abcdef')

function writeHex(bits: number, start: number, end: number): void {
  for (let at = end - 1, left = bits; at >= start; at -= 1, left >>>= 4)
    written[at] = DIGITS[left & 15] as number
}

/** A lookup by an id asks for that of the key it finds, and its record asks again. */
let last: { readonly key: string; readonly id: string } | undefined

/** The id of a key: a version 8 UUID of its first 20 characters. Greater keys never have lesser ids. */
export function keyId(key: string): string {
  if (last?.key !== key) last = { key, id: makeId(key) }
  return last.id
}

function makeId(key: string): string {
  const values = valuesOf(key)
  const second = wordAt(values, 5)
  const third = wordAt(values, 10)
  writeHex((wordAt(values, 0) << 2) | (second >>> 28), 0, 8)
  writeHex(second >>> 12, 9, 13)
  writeHex(0x8000 | (second & 0xfff), 14, 18)
  writeHex(0x8000 | (third >>> 16), 19, 23)
  writeHex(third, 24, 28)
  writeHex(wordAt(values, 15) << 2, 28, 36)
  return written.toString('latin1')
}

/** The 30 bits of five characters. */
function wordAt(values: Uint8Array, start: number): number {
  let word = 0
  for (let at = start; at < start + 5; at += 1) word = (word << 6) | (values[at] as number)
  return word
}

/** The values of characters by their codes; -1 where there is none. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)))

/** A character of another alphabet counts as the one before it, followed by the last ones: so the order is kept. */
function valuesOf(key: string): Uint8Array {
  const values = new Uint8Array(CHARACTERS)
  for (let at = 0; at < Math.min(key.length, CHARACTERS); at += 1) {
    const value = VALUES[key.charCodeAt(at)] ?? -1
    values[at] = value
    if (value !== -1) continue
    const before = [...ALPHABET].findLastIndex((own) => own < key.charAt(at))
    return values.fill(Math.max(0, before), at, at + 1).fill(before < 0 ? 0 : LAST, at + 1)
  }
  return values
}

/** Where the keys of an id lie among all keys, from `first` up to but not including `end`. */
export interface KeyRange {
  readonly first: string
  /** Undefined when no key follows them. */
  readonly end: string | undefined
}

/** Undefined for the id of no key. */
export function keysOfId(id: string): KeyRange | undefined {
  const last = hexAt(id, 28, 36)
  if (!ID.test(id) || (last & 3) !== 0) return undefined
  const first = hexAt(id, 0, 8)
  putWord(first >>> 2, 0)
  putWord((first << 28) | (hexAt(id, 9, 13) << 12) | hexAt(id, 15, 18), 5)
  putWord((hexAt(id, 19, 23) << 16) | hexAt(id, 24, 28), 10)
  putWord(last >>> 2, 15)
  return { first: lowestKey(), end: keyBehind() }
}

/** The key of an id is put here. */
const characters = Buffer.alloc(CHARACTERS)
const CODES = Buffer.from(ALPHABET)

/** The five characters of 30 bits. */
function putWord(word: number, start: number): void {
  for (let at = 0; at < 5; at += 1) characters[start + at] = CODES[(word >>> (24 - 6 * at)) & 63] as number
}

/** Without what keys may lack that have the same id. */
function lowestKey(): string {
  let end = CHARACTERS
  while (end > 0 && characters[end - 1] === CODES[0]) end -= 1
  return characters.toString('latin1', 0, end)
}

/** The first key behind all that have the same id; undefined when no key follows them. */
function keyBehind(): string | undefined {
  let end = CHARACTERS
  while (end > 0 && characters[end - 1] === CODES[LAST]) end -= 1
  if (end === 0) return undefined
  characters[end - 1] = CODES[CODES.indexOf(characters[end - 1] as number) + 1] as number
  return characters.toString('latin1', 0, end)
}

/** The number that hexadecimal digits in small letters are. */
function hexAt(text: string, start: number, end: number): number {
  let number = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    number = (number << 4) | (code > 57 ? (code & 15) + 9 : code & 15)
  }
  return number
}
