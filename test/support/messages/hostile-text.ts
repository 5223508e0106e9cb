import fc from 'fast-check'
import { words } from '../words.ts'

/** What ends, escapes or starts something in SQL, in patterns of file names and in text at large. */
const signs = [
  ...words(String.raw`' " \ ; -- /* */ $1 $$ ? * ** [ ] [!a] { } {a,b} % _ ~ : # ( ) , . E'\n' '' "" NULL a`),
  ...['`', '\n', '\r', '\t', ' ', 'é', '日', '😀', '\u200b', 'a\ufeff', '\u2028', 'ı', 'ß'],
]

const made = (own: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...own), { minLength: 1, maxLength }).map((parts) => parts.join(''))

/** A text that may have the character NUL. */
export const hostileText = made([...signs, '\0', '/'], 12)

/** The name of a column or table. */
export const hostileName = made([...signs, '/'], 12)

/** The name of a folder. DuckDB cannot read a path with a backslash beside *, ? or [, so the backslash goes there. */
export const hostileFolder = made(
  signs.filter((sign) => !sign.includes('/')),
  8,
).map((path) => `f${/[*?[]/.test(path) ? path.replaceAll('\\', '') : path}`)
