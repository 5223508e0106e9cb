import type { DocumentedParameter } from './documented.ts'

type Schema = Readonly<Record<string, unknown>>

/** Whether the text of a query parameter is one that its schema allows; with every digit, unlike validators of JSON. */
export function allows({ schema }: DocumentedParameter, text: string): boolean {
  return fits(schema, text)
}

function fits({ type, ...schema }: Schema, text: string): boolean {
  const { enum: choices, pattern, minLength, anyOf, minimum, maximum } = schema
  if (Array.isArray(anyOf) && !anyOf.some((own: Schema) => fits(own, text))) return false
  if (Array.isArray(choices) && !choices.includes(text)) return false
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false
  if (typeof minLength === 'bigint' && BigInt([...text].length) < minLength) return false
  if (type !== 'integer') return true
  if (!/^-?[0-9]+$/.test(text)) return false
  const isUnder = typeof minimum === 'bigint' && BigInt(text) < minimum
  return !isUnder && !(typeof maximum === 'bigint' && BigInt(text) > maximum)
}
