import { microsOf } from '../../support/instants.ts'
import { rowsOf } from '../../support/servers/ask-sql.ts'
import { type Answer, addUp, firstOf, lastOf, summedColumns } from './expected.ts'
import type { Question } from './question.ts'
import type { DoorWorld } from './world.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** SQL has no H3 cells. */
export function isOfSql({ resource, filters }: Question): boolean {
  return Object.keys(filters).every((name) => resource.filters?.[name]?.match !== 'within')
}

function conditionOf({ resource }: Question, name: string, text: string): string {
  const { columns, filters = {} } = resource
  const day = 'start_period' in columns ? 'paid_day' : 'make_timestamp("time" * 1000000)::DATE'
  // Days of a month compare as text, so that no month needs its last day.
  if (name === 'first_day') return `${day}::VARCHAR >= ${quoted(firstOf(text))}`
  if (name === 'last_day') return `${day}::VARCHAR <= ${quoted(lastOf(text))}`
  const { column = '', match } = filters[name] ?? {}
  const kind = columns[column]?.kind ?? 'text'
  const micros = kind === 'seconds' ? `"${column}" * 1000000` : `epoch_us("${column}")`
  switch (match) {
    case 'atLeast':
      return `${micros} >= ${microsOf(text)}`
    case 'atMost':
      return `${micros} <= ${microsOf(text)}`
    case 'anyOf':
      return `list_has_any("${column}", [${text.split(',').map(quoted).join(', ')}])`
    case 'named':
      return `lower(replace("${column}", '-', ' ')) = ${quoted(text.toLowerCase().replaceAll('-', ' '))}`
    default:
      return `"${column}"::VARCHAR = ${quoted(text)}`
  }
}

export async function askSql({ sql }: DoorWorld, question: Question): Promise<Answer> {
  const { resource, filters, asOf } = question
  const columns = summedColumns(resource)
  const where = Object.entries(filters).map(([name, text]) => conditionOf(question, name, text))
  const selected = ['1', ...columns.map((name) => `"${name}"`)].join(', ')
  const statement = `SELECT ${selected} FROM ${resource.name} WHERE ${['true', ...where].join(' AND ')}`
  const session = sql.at(asOf ?? -1)
  if (session === undefined) throw new Error('there is no such snapshot')
  const rows = await rowsOf(session, statement)
  return addUp(
    columns,
    rows.map((row) => (column) => row[columns.indexOf(column) + 1]),
  )
}
