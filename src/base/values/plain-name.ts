/** A name in small letters with hyphens between its words, as the first ledger of the network writes those of hotspots. */
export function plainName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-')
}

/** The texts by which a name may stand in a table: as it is typed, and as either ledger writes it: `brave-blue-heron`, `Brave Blue Heron`. */
export function spellingsOf(name: string): readonly [string, ...string[]] {
  const plain = plainName(name)
  const words = plain.split('-').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const others = new Set([plain, words.join(' ')])
  others.delete(name)
  return [name, ...others]
}
