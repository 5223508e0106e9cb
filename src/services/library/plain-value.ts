import { camelCase } from '../../base/values/camel-case.ts'
import { parseExactJson } from '../../base/values/exact-json.ts'
import { Digits, isList, type Json, Verbatim, Written } from '../../base/values/json-writer.ts'
import { bigintNames, decimalNames, mapNames, numberNames } from './wire-names.ts'

/** Converts a response to plain values: names in camelCase, 64-bit integers as bigints, decimals as text. */
export function plainValue(json: Json, name = ''): unknown {
  if (typeof json === 'number') return bigintNames.has(name) ? BigInt(json) : json
  if (json === null || typeof json !== 'object') return json
  if (json instanceof Digits) return json.text
  if (json instanceof Verbatim) return valueOfJson(json.text, name)
  if (json instanceof Written) return plainValue(json.object, name)
  if (isList(json)) return json.map((item) => plainValue(item, name))
  return renamed(json, name, plainValue)
}

/** Converts the JSON text of a response, or of its member `name`, in the same way. Errors: SyntaxError. */
export function valueOfJson(text: string, name = ''): unknown {
  return parsedValue(
    parseExactJson(text, (digits) => new Digits(digits)),
    name,
  )
}

function parsedValue(value: unknown, name: string): unknown {
  if (value instanceof Digits) return numberOf(value.text, name)
  if (Array.isArray(value)) return value.map((item) => parsedValue(item, name))
  return typeof value === 'object' && value !== null ? renamed(value, name, parsedValue) : value
}

/** Only counts become numbers. Any other number may be an amount, also within the fields of a transaction. */
function numberOf(text: string, name: string): bigint | number | string {
  if (numberNames.has(name)) return Number(text)
  return decimalNames.has(name) || !/^-?\d+$/.test(text) ? text : BigInt(text)
}

/** Converts the members of an object. Those of a map, such as tokens, keep their names. */
function renamed<Value>(
  object: object,
  name: string,
  convert: (value: Value, name: string) => unknown,
): object {
  const isMap = mapNames.has(name)
  const members = Object.entries(object as Readonly<Record<string, Value>>).map(([member, value]) => {
    const target = isMap ? member : nameOf(member)
    return [target, convert(value, isMap ? '' : target)]
  })
  return Object.fromEntries(members)
}

const names = new Map<string, string>()

/** The names of records are few. */
function nameOf(name: string): string {
  if (!name.includes('_')) return name
  const known = names.get(name) ?? camelCase(name)
  if (names.size < 1000) names.set(name, known)
  return known
}
