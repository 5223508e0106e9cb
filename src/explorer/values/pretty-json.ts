/** A string, or what stands between punctuation: numbers, true, false and null, as they are written. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

const STEP = '  '

/** The same JSON with line breaks and blanks between its tokens; no token is read, so every number keeps its digits. Text that is no JSON is given back as it is. */
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
