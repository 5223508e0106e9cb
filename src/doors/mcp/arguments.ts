import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted } from '../../base/parameter-text.ts'
import type { ToolArguments } from './tool.ts'

/** Default and maximum rows of a reply. */
export const ROWS = 100
export const MOST_ROWS = 1000

/** Converts JSON arguments to the texts of REST parameters; null counts as absent. */
export function readArguments(values: Readonly<Record<string, unknown>>): ToolArguments {
  const raw: Record<string, string> = {}
  const faults: ParamFault[] = []
  for (const [param, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue
    const text = argumentText(value)
    if (text === undefined)
      faults.push({ param, message: `${param} is ${typeNameOf(value)}; give it as text` })
    else raw[param] = text
  }
  return { raw, faults }
}

/** Returns undefined for lists, objects, and numbers that a JSON reader may have rounded. */
function argumentText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return undefined
}

function typeNameOf(value: unknown): string {
  if (typeof value === 'number') return 'a number that is not read exactly'
  return Array.isArray(value) ? 'a list' : 'an object'
}

export const rowsParameter = parameter((text, wrong) => {
  if (text === undefined) return ROWS
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= 1 && number <= MOST_ROWS) return number
  return wrong(`is ${quoted(text)}; use a whole number from 1 to ${MOST_ROWS}`)
})
