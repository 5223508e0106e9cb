import { parse } from 'lossless-json'

/** A JSON number that is no integer, as its digits without needless zeros. */
export class Fraction {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }
}

/** Reads the digits of a number: an integer as bigint, anything else as a Fraction. */
export function exactNumber(digits: string): bigint | Fraction {
  const plain = digits.includes('.') && !/e/i.test(digits) ? digits.replace(/\.?0+$/, '') : digits
  return /^-?\d+$/.test(plain) ? BigInt(plain) : new Fraction(plain)
}

/** One spelling of anything with 64-bit integers, which end in n, and maps. */
export function spell(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return `${one}n`
    return one instanceof Map || one instanceof Set ? [...one] : one
  })
}

/** JSON in which no number is rounded; numbers and strings stay apart. */
export function readExact<T = Record<string, unknown>>(text: string): T {
  return parse(text, undefined, exactNumber) as T
}
