import { closest, distance } from 'fastest-levenshtein'
import type { ParamFault } from './errors.ts'
import { clipped, quoted } from './parameter-text.ts'

/** Number of unknown parameters that are named; the rest are counted. */
const MOST_NAMED = 10

/** Returns faults of parameters that are not in `names`. */
export function unknownParameters(given: readonly string[], names: readonly string[]): ParamFault[] {
  const unknown = given.filter((name) => !names.includes(name))
  if (unknown.length === 0) return []
  const faults = unknown.slice(0, MOST_NAMED).map((name) => {
    const meant = names.length === 0 ? undefined : nearest(name, names)
    const use = names.length === 0 ? 'remove it' : `use ${names.join(', ')}`
    const hint = meant === undefined ? use : `did you mean ${meant}?`
    return { param: clipped(name), message: `${showName(name)} is not a parameter here; ${hint}` }
  })
  const [next, ...others] = unknown.slice(MOST_NAMED)
  if (next === undefined) return faults
  const and = others.length === 0 ? '' : ` and ${others.length} more`
  const message = `${showName(next)}${and} cannot be parameters here either`
  return [...faults, { param: clipped(next), message }]
}

/** Quotes a name that has blanks or control characters. */
const showName = (name: string) => (/^[^\s\p{C}]+$/u.test(name) ? clipped(name) : quoted(name))

/**
 * Finds the name that was probably meant: one that contains the given word, or one with the same first
 * letter and at most a third of the letters different. It ignores the text after a bracket. Undefined if
 * none is near.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const bare = name.toLowerCase().replace(/\W.*$/s, '')
  if (names.includes(bare)) return bare
  const longer = names.find((known) => known.startsWith(`${bare}_`) || known.endsWith(`_${bare}`))
  if (longer !== undefined) return longer
  return nearestTo(bare, names)
}

/** Finds the closest name with the same first letter and at most a third of the letters different, in any letter case. */
export function nearestTo(given: string, names: readonly string[]): string | undefined {
  const lower = new Map(names.map((name) => [name.toLowerCase(), name]))
  const text = clipped(given).toLowerCase()
  const nearest = closest(text, [...lower.keys()])
  return isNear(text, nearest) ? lower.get(nearest) : undefined
}

/** True if two names have the same first letter and differ in at most a third of the letters. */
export function isNear(name: string, known: string): boolean {
  const most = Math.ceil(Math.max(name.length, known.length) / 3)
  return name[0] === known[0] && distance(name, known) <= most
}
