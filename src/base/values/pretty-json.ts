import { runAtOnce, type Steps } from '../slices.ts'
import { Digits, isList, type Json, Verbatim, Written, writeJson } from './json-writer.ts'

const WIDTH = 100

/** Writes JSON for people: a value that fits stays on one line. Integers are exact. */
export function prettyJson(value: Json): string {
  return runAtOnce(prettyJsonSteps(value))
}

/** Writes the text of `prettyJson` in steps, one for each item of a list. */
export function* prettyJsonSteps(value: Json, indent = ''): Steps<string> {
  if (value instanceof Written) return yield* prettyJsonSteps(value.object, indent)
  const inner = `${indent}  `
  if (isList(value) && value.length > MOST_ON_A_LINE) {
    const items: string[] = []
    for (const item of value) {
      items.push(inner + (yield* prettyJsonSteps(item, inner)))
      yield
    }
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  if (isPlain(value)) return oneLine(value)
  // Trying a long list on one line would be one long step.
  const line = hasLongList(value) ? undefined : oneLine(value)
  if (line !== undefined && indent.length + line.length <= WIDTH) return line
  const items: string[] = []
  if (isList(value)) for (const item of value) items.push(inner + (yield* prettyJsonSteps(item, inner)))
  else
    for (const [name, member] of Object.entries(value))
      items.push(`${inner}${JSON.stringify(name)}: ${yield* prettyJsonSteps(member, inner)}`)
  const [open, close] = isList(value) ? '[]' : '{}'
  return `${open}\n${items.join(',\n')}\n${indent}${close}`
}

/** A longer list never fits on a line. */
const MOST_ON_A_LINE = 50

/** True if a member is a list that never fits on a line. */
function hasLongList(value: Json): boolean {
  const isLong = (one: Json) => isList(one) && one.length > MOST_ON_A_LINE
  return !isPlain(value) && !(value instanceof Written) && !isList(value) && Object.values(value).some(isLong)
}

function oneLine(value: Json): string {
  if (isPlain(value)) return writeJson(value)
  if (value instanceof Written) return oneLine(value.object)
  if (Array.isArray(value)) return `[${value.map((item: Json) => oneLine(item)).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function isPlain(value: Json): value is string | number | bigint | boolean | null | Digits | Verbatim {
  return value === null || typeof value !== 'object' || value instanceof Digits || value instanceof Verbatim
}
