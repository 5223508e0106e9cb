interface Found {
  readonly key: string
  readonly isExact: boolean
}

/**
 * Returns the only exact hit, otherwise the only hit; undefined if the text is ambiguous. The server accepts both
 * spellings of a wallet, so owner and account are both exact hits: the hit with the spelling of the text wins.
 */
export function chooseHit<Hit extends Found>(hits: readonly Hit[], text: string): Hit | undefined {
  const exact = hits.filter(({ isExact }) => isExact)
  const spelled = exact.filter(({ key }) => key === text)
  const few = [spelled, exact, hits].find((some) => some.length > 0) ?? []
  return few.length === 1 ? few[0] : undefined
}
