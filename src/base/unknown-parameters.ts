import { closest, distance } from 'fastest-levenshtein'
import type { ParamFault } from './errors.ts'
import { clipped, quoted } from './parameter-text.ts'

/** Of very many unknown parameters the first are named and the others counted. */
const MOST_NAMED = 10

/** Faults for given names that are none of the known ones. */
export function unknownParameters(given: readonly string[], names: readonly string[]): ParamFault[] {
  const unknown = given.filter((name) => !names.includes(name))
  if (unknown.length === 0) return []
  const faults = unknown.slice(0, MOST_NAMED).map((name) => {
    const meant = names.length === 0 ? undefined : nearest(name, names)
    const use = names.length === 0 ? 'remove it' : `use ${names.join(', ')}`
    const hint = meant === undefined ? use : `did you mean ${meant}?`
    return { param: clipped(name), message: `${named(name)} is not a parameter here; ${hint}` }
  })
  const [next, ...others] = unknown.slice(MOST_NAMED)
  if (next === undefined) return faults
  const and = others.length === 0 ? '' : ` and ${others.length} more`
  const message = `${named(next)}${and} cannot be parameters here either`
  return [...faults, { param: clipped(next), message }]
}

/** A name as it stands, or in quotes when it would not be seen as one. */
const named = (name: string) => (/^[^\s\p{C}]+$/u.test(name) ? clipped(name) : quoted(name))

/**
 * The known name that was probably meant, undefined when none is near: one that says more than the given one, or one that begins alike and of which
 * at most a third of the letters differ. What follows a bracket is left out.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const bare = name.toLowerCase().replace(/\W.*$/s, '')
  if (names.includes(bare)) return bare
  const longer = names.find((known) => known.startsWith(`${bare}_`) || known.endsWith(`_${bare}`))
  if (longer !== undefined) return longer
  return nearestTo(bare, names)
}

/** The known name that begins like a given one and differs from it in at most a third of the letters, in any case. */
export function nearestTo(given: string, names: readonly string[]): string | undefined {
  const lower = new Map(names.map((name) => [name.toLowerCase(), name]))
  const text = clipped(given).toLowerCase()
  const known = closest(text, [...lower.keys()])
  return isNear(text, known) ? lower.get(known) : undefined
}

/** Whether two names begin alike and differ in at most a third of their letters. */
export function isNear(name: string, known: string): boolean {
  const most = Math.ceil(Math.max(name.length, known.length) / 3)
  return name[0] === known[0] && distance(name, known) <= most
}
