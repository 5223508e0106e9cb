/** A string, a punctuation mark, or a literal as it is written: number, true, false, null. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

const STEP = '  '

/** Indents JSON without parsing its tokens, so numbers keep all digits. Other text is returned unchanged. */
export function indentedJson(text: string): string {
  if (!isJson(text)) return text
  const tokens = text.match(TOKEN) ?? []
  const parts: string[] = []
  let depth = 0
  const newLine = () => parts.push('\n', STEP.repeat(depth))
  for (const [place, token] of tokens.entries()) {
    const isClosing = token === '}' || token === ']'
    const isOpening = token === '{' || token === '['
    const before = tokens[place - 1]
    if (isClosing) depth -= 1
    if (isClosing && before !== '{' && before !== '[') newLine()
    if (!isClosing && (before === '{' || before === '[' || before === ',')) newLine()
    parts.push(token === ':' ? ': ' : token)
    if (isOpening) depth += 1
  }
  return parts.join('')
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
