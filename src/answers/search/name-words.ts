import type { Steps } from '../../base/slices.ts'
import { plainName } from '../../base/values/plain-name.ts'
import { hasPrefixNearly } from './nearly.ts'

/** Names per slice of the event loop. */
const NAMES_AT_ONCE = 4096

/** A shorter word has too many neighbours. */
const LEAST_LETTERS = 4

/** How well a typed word matches a word of a name; 0 if it does not. */
const WHOLE = 2
const NEARLY = 1

const wordsOf = (text: string) =>
  plainName(text)
    .split('-')
    .filter((word) => word !== '')

/** Numbers the words of names: there are many names of few words. */
export function* numberWords(names: readonly string[]): Steps<NameWords> {
  const numbers = new Map<string, number>()
  const sequence: number[] = []
  const ends: number[] = []
  for (const name of names) {
    for (const word of wordsOf(name)) {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      sequence.push(number)
    }
    ends.push(sequence.length)
    if (ends.length % NAMES_AT_ONCE === 0) yield
  }
  return new NameWords([...numbers.keys()], Uint32Array.from(sequence), Uint32Array.from(ends))
}

/** The words of all names as numbers. */
export class NameWords {
  readonly #words: readonly string[]
  readonly #sequence: Uint32Array
  readonly #ends: Uint32Array

  /** `sequence` has the word numbers of all names, and `ends` the end of each name in it. */
  constructor(words: readonly string[], sequence: Uint32Array, ends: Uint32Array) {
    this.#words = words
    this.#sequence = sequence
    this.#ends = ends
  }

  /**
   * Returns the first names, in lower case with hyphens, that have for each typed word one that begins with it. If there is
   * none, one letter of a typed word may be wrong.
   */
  *find(text: string, limit: number): Steps<readonly string[]> {
    const typed = wordsOf(text)
    const names = yield* this.#search(typed, limit)
    const [joined = ''] = typed
    return names.length > 0 || typed.length > 1 ? names : yield* this.#search(this.#split(joined), limit)
  }

  *#search(typed: readonly string[], limit: number): Steps<readonly string[]> {
    const grades = typed.map((word) => this.#gradesOf(word))
    if (grades.length === 0 || grades.some((one) => one.every((grade) => grade === 0))) return []
    const [whole, nearly]: [string[], string[]] = [[], []]
    let first = 0
    for (const [index, end] of this.#ends.entries()) {
      const grade = this.#worstGrade(grades, first, end)
      const names = grade === WHOLE ? whole : nearly
      if (grade > 0 && names.length < limit) names.push(this.#nameOf(first, end))
      if (whole.length === limit) break
      if (index % NAMES_AT_ONCE === 0) yield
      first = end
    }
    return whole.length > 0 ? whole : nearly
  }

  #nameOf(first: number, end: number): string {
    return Array.from(this.#sequence.subarray(first, end), (number) => this.#words[number]).join('-')
  }

  #gradesOf(typed: string): Uint8Array {
    const mayBeWrong = typed.length >= LEAST_LETTERS
    return Uint8Array.from(this.#words, (word) =>
      word.startsWith(typed) ? WHOLE : mayBeWrong && hasPrefixNearly(word, typed) ? NEARLY : 0,
    )
  }

  /** The worst grade of the typed words in the words of a name. */
  #worstGrade(grades: readonly Uint8Array[], first: number, end: number): number {
    let worst = WHOLE
    for (const ofTyped of grades) {
      let best = 0
      for (let index = first; index < end; index += 1)
        best = Math.max(best, ofTyped[this.#sequence[index] ?? 0] ?? 0)
      worst = Math.min(worst, best)
    }
    return worst
  }

  /** Splits words that were typed without blanks; the last may be incomplete. Empty if that is impossible. */
  #split(text: string, impossible = new Set<string>()): readonly string[] {
    if (impossible.has(text)) return []
    for (const word of this.#words) {
      if (!text.startsWith(word)) continue
      const rest = text.slice(word.length)
      if (rest === '') return [word]
      const more = this.#words.some((one) => one.startsWith(rest)) ? [rest] : this.#split(rest, impossible)
      if (more.length > 0) return [word, ...more]
    }
    // Without this, words such as a and aa would double the work for each letter.
    impossible.add(text)
    return []
  }
}
