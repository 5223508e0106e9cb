import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted } from '../../base/parameter-text.ts'
import type { ToolArguments } from './tool.ts'

/** Rows of a reply unless a number is asked for, and the most. */
export const ROWS = 100
export const MOST_ROWS = 1000

/** The JSON values of arguments as the texts that REST would be given; null is the same as nothing. */
export function readArguments(given: Readonly<Record<string, unknown>>): ToolArguments {
  const raw: Record<string, string> = {}
  const faults: ParamFault[] = []
  for (const [param, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue
    const text = textOf(value)
    if (text === undefined) faults.push({ param, message: `${param} is ${nameOf(value)}; give it as text` })
    else raw[param] = text
  }
  return { raw, faults }
}

/** Undefined for what is no text; a number that JSON readers may have rounded is none. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return undefined
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return 'a number that is not read exactly'
  return Array.isArray(value) ? 'a list' : 'an object'
}

/** How many rows are asked for. */
export const rowsAsked = parameter((text, wrong) => {
  if (text === undefined) return ROWS
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= 1 && number <= MOST_ROWS) return number
  return wrong(`is ${quoted(text)}; use a whole number from 1 to ${MOST_ROWS}`)
})
