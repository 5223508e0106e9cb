/** Removes blanks at the end, but none after a backslash. */
function withoutBlanks(text: string): string {
  const trimmed = text.trimEnd()
  let marks = 0
  while (trimmed.at(-1 - marks) === '\\') marks += 1
  return text.slice(0, trimmed.length + (marks % 2))
}

/** Elements of an array in the text format; undefined if it is malformed or has more dimensions. */
export function elementsOfText(text: string): readonly (string | null)[] | undefined {
  if (!/^\{.*\}$/s.test(text)) return undefined
  const inner = text.slice(1, -1)
  if (inner.trim() === '') return []
  const elements: (string | null)[] = []
  const element = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"\s*|((?!\s)(?:[^",{}\\]|\\[\s\S])*))(,|$)/y
  for (;;) {
    const [whole, inQuotes, untrimmed = '', end] = element.exec(inner) ?? []
    const bare = withoutBlanks(untrimmed)
    if (whole === undefined || (inQuotes === undefined && bare === '')) return undefined
    const written = (inQuotes ?? bare).replace(/\\([\s\S])/g, '$1')
    elements.push(inQuotes === undefined && /^null$/i.test(bare) ? null : written)
    if (end === '') return elements
  }
}
