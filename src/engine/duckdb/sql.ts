import type { Statement } from '../sql/compile.ts'

/** SQL text in which every name and value is quoted. */
export class Sql implements Statement {
  readonly #text: string
  readonly values: Statement['values'] = []

  constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }
}

type Part = Sql | readonly Sql[] | string | number | bigint

/**
 * Builds SQL from a template: strings become literals, numbers digits, and lists comma-separated. COPY and CREATE
 * accept no bound values.
 * Errors: Error for a number that is no safe integer.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  return new Sql(String.raw({ raw: texts }, ...parts.map(written)))
}

function written(part: Part): string {
  if (part instanceof Sql) return part.text
  if (typeof part === 'string') return literal(part)
  if (typeof part === 'object') return part.map(({ text }) => text).join(', ')
  if (typeof part === 'number' && !Number.isSafeInteger(part))
    throw new Error(`${part} is not a whole number`)
  return String(part)
}

/** The engine stops at the first NUL, so NUL becomes chr(0). */
function literal(text: string): string {
  const pieces = text.split('\0').map((piece) => `'${piece.replaceAll("'", "''")}'`)
  return pieces.length === 1 ? pieces.join() : `(${pieces.join(' || chr(0) || ')})`
}

/** Quotes the name of a column or table. Errors: Error for a name with the character NUL. */
export function name(text: string): Sql {
  if (text.includes('\0')) throw new Error(`${JSON.stringify(text)} cannot be the name of a column or table`)
  return new Sql(`"${text.replaceAll('"', '""')}"`)
}

export function textList(list: readonly string[]): Sql {
  return sql`[${list.map((text) => sql`${text}`)}]::VARCHAR[]`
}

export function joined(
  parts: readonly Sql[],
  separator: ' AND ' | ' OR ' | ' UNION ALL ' | ' + ' | ' ' | ' || ' | " || ',' || ",
): Sql {
  return new Sql(parts.map(({ text }) => text).join(separator))
}

/** Wraps SQL of the plan compiler or the dialect, which quote themselves. */
export function compiled(text: string): Sql {
  return new Sql(text)
}

/** True for types that have no names of members or values in them. */
export const isPlainType = (type: string) => /^[A-Z][A-Z\d_ ]*(?:\(\d+,\d+\))?(?:\[\d*\])*$/.test(type)

/** Returns a type without names in it as SQL. Errors: Error for any other. */
export function plainType(type: string): Sql {
  if (!isPlainType(type)) throw new Error(`the type ${type} has names of members in it`)
  return compiled(type)
}
