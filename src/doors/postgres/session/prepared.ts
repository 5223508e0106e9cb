import type { CheckedStatement } from '../../../answers/sql/sql-session.ts'
import type { Command } from '../statements/command.ts'
import { type PgColumn, pgColumnOf } from '../values/pg-columns.ts'

export interface NamedColumn extends Omit<PgColumn, 'name'> {
  readonly name: string
}

/** A statement after Parse: its command, and the columns of its result, if it has one. */
export interface Prepared {
  readonly command: Command
  /** Types of its parameters. */
  readonly oids: readonly number[]
  /** The checked SELECT, of a command that has one. */
  readonly checked?: CheckedStatement | undefined
  readonly columns: readonly NamedColumn[] | undefined
}

/** Characters that a statement occupies. */
export function sizeOfPrepared({ command, checked }: Prepared): number {
  return ('text' in command ? command.text.length : 0) + (checked?.text.length ?? 0)
}

const text = pgColumnOf('VARCHAR')

export const textColumn = (name: string): NamedColumn => ({ ...text, name })

export function columnsOf({ columns }: CheckedStatement): readonly NamedColumn[] {
  return columns.map(({ name, type }) => ({ ...pgColumnOf(type), name: pgName(name) }))
}

/** `count_star()` -> `count`: a column of a call without an alias has the name of the function, as programs expect. */
function pgName(name: string): string {
  const [, called] = /^(?:main\.)?"?([a-z_]\w*)"?\([\s\S]*\)(?:_\d+)?$/i.exec(name) ?? []
  if (called === undefined) return /^CASE\s/.test(name) ? 'case' : name
  if (called === 'CAST') return /^CAST\((?:main\.)?(\w+)\b/.exec(name)?.[1] ?? name
  return called === 'count_star' ? 'count' : called.toLowerCase()
}

/** SELECT of a checked statement whose lists are JSON arrays of texts, and whose structs and maps are JSON. */
export function nestedAsJson({ text: statement, columns }: CheckedStatement): string | undefined {
  const isNested = columns.map(({ type }) => pgColumnOf(type).isNested)
  if (!isNested.includes(true)) return undefined
  const selected = columns.map(({ type }, index) => {
    const brackets = pgColumnOf(type).isArray ? '::VARCHAR[]' : ''
    return isNested[index] ? `to_json(c${index}${brackets})` : `c${index}`
  })
  return `SELECT ${selected.join(', ')} FROM (FROM (\n${statement}\n)) AS result(${columns.map((_, index) => `c${index}`).join(', ')})`
}
