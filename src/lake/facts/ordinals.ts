/** Writes ascending ordinals as text, consecutive ones as a range: `3,17-4016`. */
export function writeOrdinals(ordinals: readonly bigint[]): string {
  const runs: { first: bigint; last: bigint }[] = []
  for (const ordinal of ordinals) {
    const run = runs.at(-1)
    if (run !== undefined && ordinal === run.last + 1n) run.last = ordinal
    else runs.push({ first: ordinal, last: ordinal })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** Limit of ordinals: a short damaged text could name more than memory holds. */
const MOST_ORDINALS = 2 ** 22

/** Errors: SyntaxError or RangeError for invalid text. */
export function readOrdinals(text: string): readonly bigint[] {
  const ordinals: bigint[] = []
  for (const run of text.split(',')) {
    const [first = '', last = first] = run.split('-')
    if (BigInt(last) - BigInt(first) >= MOST_ORDINALS - ordinals.length) throw new RangeError(run)
    for (let ordinal = BigInt(first); ordinal <= BigInt(last); ordinal += 1n) ordinals.push(ordinal)
  }
  return ordinals
}
