import { isNear } from '../../base/unknown-parameters.ts'

const LONGEST_PATH = 200

/**
 * Suggests a path for an unknown one: the same path under another version or network, in other case, or with one misspelled part.
 * `patterns` are such as `/v1/net/l2/makers/:id`.
 */
export function nearestPath(path: string, patterns: readonly string[]): string | undefined {
  if (path.length > LONGEST_PATH) return undefined
  const tails = possibleTails(partsOf(path.replace(/\/$/, '')))
  for (const isMatch of [isEqual, isMisspelled, isListName]) {
    const pattern = patterns.find((url) => tails.some((tail) => isMatch(tail, tailOf(partsOf(url)))))
    if (pattern === undefined) continue
    const id = path.split('/').findLast((part) => part !== '') ?? ''
    return pattern.replace(/:id$/, id)
  }
  return undefined
}

const partsOf = (path: string) => path.split('/').slice(1)
const isVersion = (part: string | undefined) => part !== undefined && /^v\d+$/i.test(part)

/** Removes version and network from a pattern. */
function tailOf(parts: readonly string[]): readonly string[] {
  return isVersion(parts[0]) ? parts.slice(2) : parts
}

/** Returns the possible remainders of a path after version and network. */
function possibleTails(parts: readonly string[]): readonly (readonly string[])[] {
  return isVersion(parts[0]) ? [parts.slice(1), parts.slice(2)] : [parts, parts.slice(1)]
}

const plain = (part: string) => part.toLowerCase().replaceAll('_', '-')

/** Compares parts without case; an id matches any text. */
function isEqual(path: readonly string[], pattern: readonly string[]): boolean {
  const isMatch = (part: string, name = '') => part !== '' && (name === ':id' || plain(part) === name)
  return path.length === pattern.length && path.every((part, index) => isMatch(part, pattern[index]))
}

/** Accepts one misspelled part; never in a path with an id, which may be any text. */
function isMisspelled(path: readonly string[], pattern: readonly string[]): boolean {
  if (path.length !== pattern.length || pattern.includes(':id')) return false
  const different = path.flatMap((part, index) => (plain(part) === pattern[index] ? [] : [index]))
  const [index = 0] = different
  return different.length === 1 && isNear(plain(path[index] ?? ''), pattern[index] ?? '')
}

function isListName(path: readonly string[], pattern: readonly string[]): boolean {
  return path.length === 1 && pattern.length > 1 && plain(path[0] ?? '') === pattern.at(-1)
}
