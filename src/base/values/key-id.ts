/** Ids that lead to a row by its natural key, such as an address or the hash of a transaction. */

/** The characters of base58 and base64url in the order of their bytes: 6 bits each. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const CODES = Buffer.from(ALPHABET)
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
  if (!ID.test(id)) return undefined
  const bits = (start: number, end: number) => Number.parseInt(id.slice(start, end), 16)
  const [first, last] = [bits(0, 8), bits(28, 36)]
  if ((last & 3) !== 0) return undefined
  const second = ((first & 3) << 28) | (bits(9, 13) << 12) | bits(15, 18)
  const third = ((bits(19, 23) << 16) | bits(24, 28)) & 0x3fff_ffff
  const values = new Uint8Array(CHARACTERS)
  for (const [place, word] of [first >>> 2, second, third, last >>> 2].entries())
    for (let at = 0; at < 5; at += 1) values[place * 5 + at] = (word >> (24 - at * 6)) & 63
  const lowest = values.findLastIndex((value) => value !== 0)
  const raised = values.findLastIndex((value) => value !== LAST)
  const text = Buffer.from(values.map((value) => CODES[value] as number)).toString('latin1')
  const end = raised < 0 ? undefined : text.slice(0, raised) + ALPHABET.charAt((values[raised] ?? 0) + 1)
  return { first: text.slice(0, lowest + 1), end }
}
