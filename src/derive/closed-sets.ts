import { quoted } from './parameter-text.ts'
import { nearest } from './unknown-parameters.ts'

/**
 * What is wrong when one of the values is none of the choices, as the rest of a sentence that begins with the name of
 * the parameter; undefined when nothing is.
 */
export function outsideOf(choices: readonly string[], values: readonly string[]): string | undefined {
  const outside = values.find((value) => !choices.includes(value))
  if (outside === undefined) return undefined
  const meant = nearest(outside, choices)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `${values.length > 1 ? 'has' : 'is'} ${quoted(outside)}; use one of ${choices.join(', ')}${hint}`
}
