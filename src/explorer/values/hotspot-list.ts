/** Keys have at least 50 characters, and no name has 40. */
const LEAST_OF_KEY = 40
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/

/** Returns true if a word is a key: no name is a word of this length. */
const isKey = (word: string) => word.length >= LEAST_OF_KEY && BASE58.test(word)

/** Returns true if the server takes an entry for a name: no key has blanks or hyphens. */
export const isName = (entry: string) => /[\s_-]/.test(entry)

/** Returns the distinct keys and names in a list. Line breaks, commas and semicolons end a name, and so does a key. */
export function readList(text: string): readonly string[] {
  return [...new Set(text.split(/[\n,;]+/).flatMap(entriesOf))]
}

function entriesOf(line: string): readonly string[] {
  const entries: string[] = []
  let name: readonly string[] = []
  const endName = () => {
    if (name.length > 0) entries.push(name.join(' '))
    name = []
  }
  for (const word of line.split(/\s+/).filter((one) => one !== '')) {
    if (isKey(word)) {
      endName()
      entries.push(word)
    } else name = [...name, word]
  }
  endName()
  return entries
}

/** Normalizes a name for comparison: lower case, blanks for hyphens and underscores. */
export const normalizedName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
