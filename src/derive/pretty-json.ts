import { Digits, isList, type Json, Verbatim, Written, writeJson } from './json-writer.ts'

const WIDTH = 100

/** JSON for people: what fits stays on one line, anything else has a line for each member. Integers are exact. */
export function prettyJson(value: Json, indent = ''): string {
  if (value instanceof Written) return prettyJson(value.object, indent)
  const line = oneLine(value)
  if (isPlain(value) || indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const items = isList(value)
    ? value.map((item) => prettyJson(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${prettyJson(member, inner)}`)
  const [open, close] = isList(value) ? '[]' : '{}'
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`
}

function oneLine(value: Json): string {
  if (isPlain(value)) return writeJson(value)
  if (value instanceof Written) return oneLine(value.object)
  if (Array.isArray(value)) return `[${value.map((item: Json) => oneLine(item)).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Whether a value has no parts, or is written as it came. */
function isPlain(value: Json): value is string | number | bigint | boolean | null | Digits | Verbatim {
  return value === null || typeof value !== 'object' || value instanceof Digits || value instanceof Verbatim
}
