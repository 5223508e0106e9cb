/** Keys of hotspots have 50 characters and more. */
const LEAST_OF_KEY = 40
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/

/** Whether a word can only be a key: no name is so long. */
const isKey = (word: string) => word.length >= LEAST_OF_KEY && BASE58.test(word)

/** Keys and names of a list, each once. Line breaks, commas and semicolons end a name, and so does a key. */
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

/** A name without its capital letters, blanks and hyphens: two spellings of one name have the same. */
export const normalizedName = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
