/**
 * Returns true if a word begins with a typed text once one letter of the text is changed, added, removed, or swapped with
 * the next.
 */
export function hasPrefixNearly(word: string, typed: string): boolean {
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at += 1
  if (at >= typed.length - 1) return true
  const begins = (skippedInWord: number, skippedInText: number) =>
    word.slice(at + skippedInWord).startsWith(typed.slice(at + skippedInText))
  const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at]
  return begins(1, 1) || begins(1, 0) || begins(0, 1) || (isSwapped && begins(2, 2))
}
