/** A token between semicolons: text, comments, and quoted text. */
const PIECE =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|(?<![\w$])[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?(?:\1|$)|;|[\s\S]/g

export interface SplitText {
  /** Statements before a semicolon, without empty ones. */
  readonly ended: readonly string[]
  /** Text after the last semicolon; empty if it has only blanks and comments. */
  readonly unended: string
}

/**
 * Splits a text into statements. The gate accepts one at a time, so it refuses a text that DuckDB would split
 * differently.
 */
export function splitStatements(text: string): SplitText {
  const ended: string[] = []
  let statement = ''
  let isBlank = true
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece !== ';') {
      statement += piece
      isBlank &&= /^(\s|--|\/\*)/.test(piece)
      continue
    }
    if (!isBlank) ended.push(statement.trim())
    statement = ''
    isBlank = true
  }
  return { ended, unended: isBlank ? '' : statement.trim() }
}
