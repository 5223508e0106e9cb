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

/** An object that has its text without being read member by member; its members are there for those who read them. */
export abstract class Written {
  abstract readonly object: JsonObject
  abstract text(integersAsText: boolean): string
}

/** An object that many records hold, so that its text is made once for each way of writing integers. */
export class Shared extends Written {
  readonly object: JsonObject
  readonly #texts = new Map<boolean, string>()

  constructor(object: JsonObject) {
    super()
    this.object = object
  }

  text(integersAsText: boolean): string {
    const text = this.#texts.get(integersAsText) ?? inOnePiece(writeJson(this.object, integersAsText))
    this.#texts.set(integersAsText, text)
    return text
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
  | Written
  | readonly Json[]
  | JsonObject
export interface JsonObject {
  readonly [member: string]: Json
}

/**
 * Writes JSON in which a bigint is bare digits, or a string of digits for readers that round numbers.
 * Numbers are only ever small counts, and degrees.
 */
export function writeJson(value: Json, integersAsText = false): string {
  if (typeof value === 'string') return quoteJson(value)
  if (typeof value === 'bigint') return integersAsText ? `"${value}"` : value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof Digits) return value.text
  if (value instanceof Verbatim)
    return integersAsText && value.integers === 'any' ? quoteIntegers(value.text) : value.text
  if (value instanceof Written) return value.text(integersAsText)
  // Text that grows is several times as fast here as a list that is joined.
  let text = ''
  if (isList(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${writeJson(item, integersAsText)}`
    return `[${text}]`
  }
  for (const name of Object.keys(value)) {
    const member = writeJson(value[name] ?? null, integersAsText)
    text += `${text === '' ? '' : ','}${quoteJson(name)}:${member}`
  }
  return `{${text}}`
}

/** The same text. One that grew is a tree of its pieces, and would be walked each time it is part of another; reading a character ends that. */
export function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

/** Quotes, backslashes, control characters and halves of surrogate pairs. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u

/** Text as a JSON string. */
export function quoteJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Integers in JSON text as strings of their digits; other numbers and what stands in strings are left alone. */
function quoteIntegers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) => (/^-?\d+$/.test(token) ? `"${token}"` : token))
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Whether a value is an object whose members can be read. */
export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !isList(value) &&
    !(value instanceof Digits) &&
    !(value instanceof Verbatim) &&
    !(value instanceof Written)
  )
}

/** The members of an object, also of one that is written without them; none of anything else. */
export function membersOf(value: Json | undefined): JsonObject {
  if (value instanceof Written) return value.object
  return isObject(value) ? value : {}
}
