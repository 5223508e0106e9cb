/** A token of a statement: quoted text, a word, a number, or one character. */
const TOKEN =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|\s+|([eE]?'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"]|"")*")|([A-Za-z_][\w$.]*|\d[\w.]*)|([\s\S])/gy

export interface Word {
  /** Lower case for bare words; as written with quotes. */
  readonly text: string
  /** Offset after it. */
  readonly end: number
}

/** Splits the beginning of a statement into at most `most` words. */
export function wordsOf(statement: string, most = 40): readonly Word[] {
  const words: Word[] = []
  TOKEN.lastIndex = 0
  while (words.length < most) {
    const [whole, quoted, bare, sign] = TOKEN.exec(statement) ?? []
    if (whole === undefined || whole === '') break
    const text = quoted ?? bare?.toLowerCase() ?? sign
    if (text !== undefined) words.push({ text, end: TOKEN.lastIndex })
  }
  return words
}

/** `'it''s'` -> `it's`; other words stay. */
export function unquoted(text: string): string {
  const [, mark, inner] = /^[eE]?(["'])([\s\S]*)\1$/.exec(text) ?? []
  return mark === undefined || inner === undefined ? text : inner.replaceAll(mark + mark, mark)
}
