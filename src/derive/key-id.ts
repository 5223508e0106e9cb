/** Ids that lead to a row by its natural key, such as an address or the hash of a transaction. */

/** The characters of base58 and base64url in the order of their bytes: 6 bits each. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const LAST = ALPHABET.length - 1
const CHARACTERS = 20
/** 120 bits of characters and two that are always 0: all that a version 8 UUID leaves. */
const LOW_BITS = 62n
const LOW = (1n << LOW_BITS) - 1n
const ID = /^([\da-f]{8})-([\da-f]{4})-8([\da-f]{3})-([89ab][\da-f]{3})-([\da-f]{12})$/

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A UUID of any version, in any letter case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The id of a key: a version 8 UUID of its first 20 characters. Greater keys never have lesser ids. */
export function keyId(key: string): string {
  let bits = 0n
  for (const value of valuesOf(key)) bits = (bits << 6n) | BigInt(value)
  const all = bits << 2n
  const high = (all >> LOW_BITS).toString(16).padStart(15, '0')
  const low = ((2n << LOW_BITS) | (all & LOW)).toString(16)
  return `${high.slice(0, 8)}-${high.slice(8, 12)}-8${high.slice(12)}-${low.slice(0, 4)}-${low.slice(4)}`
}

/** A character of another alphabet counts as the one before it, followed by the last ones: so the order is kept. */
function valuesOf(key: string): readonly number[] {
  const values = new Array<number>(CHARACTERS).fill(0)
  for (let at = 0; at < Math.min(key.length, CHARACTERS); at += 1) {
    const character = key.charAt(at)
    values[at] = ALPHABET.indexOf(character)
    if (values[at] !== -1) continue
    const before = [...ALPHABET].findLastIndex((own) => own < character)
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
  const [, a = '', b = '', c = '', d = '', e = ''] = ID.exec(id) ?? []
  const all = ((BigInt(`0x${a}${b}${c}0`) >> 4n) << LOW_BITS) | ((BigInt(`0x${d}${e}0`) >> 4n) & LOW)
  if (a === '' || (all & 3n) !== 0n) return undefined
  const values = Array.from({ length: CHARACTERS }, (_, at) =>
    Number((all >> BigInt(6 * (CHARACTERS - 1 - at) + 2)) & 63n),
  )
  const text = (upTo: number) =>
    values
      .slice(0, upTo)
      .map((value) => ALPHABET.charAt(value))
      .join('')
  const lowest = values.findLastIndex((value) => value !== 0)
  const raised = values.findLastIndex((value) => value !== LAST)
  const end = raised < 0 ? undefined : text(raised) + ALPHABET.charAt((values[raised] ?? 0) + 1)
  return { first: text(lowest + 1), end }
}
