/** Converts a name to lower case with hyphens, the spelling of the L1 ledger. */
export function plainName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-')
}

/** Returns the spellings of a name in tables: as typed, and as either ledger writes it: `brave-blue-heron`, `Brave Blue Heron`. */
export function spellingsOf(name: string): readonly [string, ...string[]] {
  const plain = plainName(name)
  const words = plain.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const spellings = new Set([plain, words.join(' ')])
  spellings.delete(name)
  return [name, ...spellings]
}
