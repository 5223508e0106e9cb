/** A name of pg_catalog before another name, an operator with its schema, or text that has none. */
const PIECE =
  /--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|(?<![\w$])[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?(?:\1|$)|(\boperator\s*\(\s*(?:pg_catalog\s*\.\s*)?([-+*/<>=~!@#%^&|`?]+)\s*\))|((?:\bpg_catalog|"pg_catalog")\s*\.\s*)(?=[\w"])|(\bcollate\s+(?:(?:pg_catalog|"pg_catalog")\s*\.\s*)?"?(?:default|C|POSIX)"?(?![\w$]))|"(?:[^"]|"")*(?:"|$)|[\s\S]/gi

/**
 * Blanks what DuckDB's parser does not take: the schema pg_catalog, OPERATOR() and collations of PostgreSQL. Offsets
 * stay, so positions of errors are those of the client's text.
 */
export function withoutSchema(text: string): string {
  return text.replace(PIECE, (piece, _quote, operator, sign, schema, collation) => {
    if (operator !== undefined) return String(sign).padEnd(piece.length)
    return schema !== undefined || collation !== undefined ? ' '.repeat(piece.length) : piece
  })
}
