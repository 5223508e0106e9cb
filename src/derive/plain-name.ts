/** A name as the network writes those of hotspots: in small letters, with a hyphen wherever others write blanks or underscores. */
export function plainName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-')
}

/** The texts by which a name may stand in a table: as it is typed, and as the network writes it. */
export function spellingsOf(name: string): readonly [string, ...string[]] {
  const plain = plainName(name)
  return plain === name ? [name] : [name, plain]
}
