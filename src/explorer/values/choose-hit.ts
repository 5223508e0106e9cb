interface Found {
  readonly key: string
  readonly isExact: boolean
}

/**
 * The hit that a text means for certain; undefined when there are several. An owner and its account are both exact, since
 * the server reads both spellings of a wallet; the one with the spelling of the text is meant.
 */
export function chooseHit<Hit extends Found>(hits: readonly Hit[], text: string): Hit | undefined {
  const exact = hits.filter(({ isExact }) => isExact)
  const spelled = exact.filter(({ key }) => key === text)
  const few = [spelled, exact, hits].find((some) => some.length > 0) ?? []
  return few.length === 1 ? few[0] : undefined
}
