/** A decimal that is written as a JSON number with every digit. */
export class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** JSON that is written as it came, so that no digit of it is lost. */
export class Verbatim {
  readonly text: string
  /** Whether its integers may be too large for readers that would round them. */
  readonly integers: 'any' | 'small'

  constructor(text: string, integers: 'any' | 'small' = 'any') {
    this.text = text
    this.integers = integers
  }
}

export type Json =
  | string
  | number
  | bigint
  | boolean
  | null
  | Digits
  | Verbatim
  | readonly Json[]
  | JsonObject
export interface JsonObject {
  readonly [member: string]: Json
}

/**
 * Writes JSON in which a bigint is bare digits, or a string of digits for readers that round numbers.
 * Numbers are only ever small counts.
 */
export function writeJson(value: Json, integersAsText = false): string {
  if (typeof value === 'bigint') return integersAsText ? `"${value}"` : value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof Digits) return value.text
  if (value instanceof Verbatim)
    return integersAsText && value.integers === 'any' ? quoteIntegers(value.text) : value.text
  if (isList(value)) return `[${value.map((item) => writeJson(item, integersAsText)).join(',')}]`
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member, integersAsText)}`,
  )
  return `{${members.join(',')}}`
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Integers in JSON text as strings of their digits; other numbers and what stands in strings are left alone. */
function quoteIntegers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) => (/^-?\d+$/.test(token) ? `"${token}"` : token))
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value)
}
