import { isNear } from '../../base/unknown-parameters.ts'

/** Longer paths were not misspelled. */
const LONGEST = 200

/**
 * The address that was probably meant by one that is unknown: the same below another version or network, in other letters,
 * or with one part that differs a little. Undefined when none is near. `known` are patterns such as `/v1/net/l2/makers/:id`.
 */
export function nearestPath(path: string, known: readonly string[]): string | undefined {
  if (path.length > LONGEST) return undefined
  const asked = tailsOf(partsOf(path.replace(/\/$/, '')))
  for (const fits of [isSame, isAlmost, isLast]) {
    const pattern = known.find((one) => asked.some((tail) => fits(tail, tailOf(partsOf(one)))))
    if (pattern === undefined) continue
    const id = path.split('/').findLast((part) => part !== '') ?? ''
    return pattern.replace(/:id$/, id)
  }
  return undefined
}

const partsOf = (path: string) => path.split('/').slice(1)
const isVersion = (part: string | undefined) => part !== undefined && /^v\d+$/i.test(part)

/** A known path without version and network. */
function tailOf(parts: readonly string[]): readonly string[] {
  return isVersion(parts[0]) ? parts.slice(2) : parts
}

/** What of an asked path may be without version and network. */
function tailsOf(parts: readonly string[]): readonly (readonly string[])[] {
  return isVersion(parts[0]) ? [parts.slice(1), parts.slice(2)] : [parts, parts.slice(1)]
}

const plain = (part: string) => part.toLowerCase().replaceAll('_', '-')

/** All parts are equal but for letter case, and an id is any text. */
function isSame(asked: readonly string[], known: readonly string[]): boolean {
  const equals = (part: string, own = '') => part !== '' && (own === ':id' || plain(part) === own)
  return asked.length === known.length && asked.every((part, place) => equals(part, known[place]))
}

/** One part differs a little; never beside an id, which may be anything. */
function isAlmost(asked: readonly string[], known: readonly string[]): boolean {
  if (asked.length !== known.length || known.includes(':id')) return false
  const others = asked.flatMap((part, place) => (plain(part) === known[place] ? [] : [place]))
  const [place = 0] = others
  return others.length === 1 && isNear(plain(asked[place] ?? ''), known[place] ?? '')
}

/** The name of a list alone. */
function isLast(asked: readonly string[], known: readonly string[]): boolean {
  return asked.length === 1 && known.length > 1 && plain(asked[0] ?? '') === known.at(-1)
}
