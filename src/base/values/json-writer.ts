/** A decimal that is written as a JSON number with all its digits. */
export class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** JSON text that is written unchanged, so that no digit is lost. */
export class Verbatim {
  readonly text: string
  /** True if it may have integers beyond 2^53. */
  readonly integers: 'any' | 'small'

  constructor(text: string, integers: 'any' | 'small' = 'any') {
    this.text = text
    this.integers = integers
  }
}

/** An object that writes its own JSON text; `object` has the members for code that reads them. */
export abstract class Written {
  abstract readonly object: JsonObject
  abstract text(integersAsText: boolean): string
}

/** An object that many records embed; its text is made once for each form of integers. */
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

/** Writes JSON. A bigint becomes bare digits, or a string of digits if `integersAsText`. */
export function writeJson(value: Json, integersAsText = false): string {
  if (typeof value === 'string') return quoteJson(value)
  if (typeof value === 'bigint') return integersAsText ? `"${value}"` : value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof Digits) return value.text
  if (value instanceof Verbatim)
    return integersAsText && value.integers === 'any' ? quoteIntegers(value.text) : value.text
  if (value instanceof Written) return value.text(integersAsText)
  // Concatenation is several times as fast as joining a list.
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

/** Flattens a concatenated string: otherwise V8 walks its tree each time it is part of another. Reading a character flattens it. */
export function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

/** Quotes, backslashes, control characters and halves of surrogate pairs. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u

export function quoteJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Quotes integers in JSON text; other numbers and strings stay. */
function quoteIntegers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) => (/^-?\d+$/.test(token) ? `"${token}"` : token))
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** True if a value is an object whose members can be read. */
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

/** Returns the members of an object or a `Written`; none for any other value. */
export function membersOf(value: Json | undefined): JsonObject {
  if (value instanceof Written) return value.object
  return isObject(value) ? value : {}
}
