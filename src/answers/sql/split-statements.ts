/** What stands between semicolons: text, comments, and text in quotes, in which a semicolon ends nothing. */
const PIECE =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|(?<![\w$])[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?(?:\1|$)|;|[\s\S]/g

export interface SplitText {
  /** Statements that a semicolon ended, without it; those of nothing but blanks and comments are left out. */
  readonly ended: readonly string[]
  /** What stands behind the last semicolon; blank when there is nothing but blanks and comments. */
  readonly unended: string
}

/** Statements of a text. A text that DuckDB cuts elsewhere is refused by the gate, which takes one statement at a time. */
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
