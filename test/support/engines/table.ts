import type { Verdict } from './compare.ts'

/** A line of the table; without verdicts of an engine that could not be fetched or run. */
export interface Line {
  readonly name: string
  readonly version: string
  readonly tables?: Verdict | undefined
  readonly older?: Verdict | undefined
  readonly views?: Verdict | undefined
  readonly remark: string
}

const BEGIN = '[//]: # (npm run test:long -- engines writes from here)'
const END = '[//]: # (to here)'

/** The table in Markdown. */
export function engineTable(lines: readonly Line[]): string {
  const head = 'Engine,Version,Tables equal,Values equal,Older versions,Values of views,Remarks'.split(',')
  const rows = lines.map(({ name, version, tables, older, views, remark }) => [
    ...[name, version, tablesOf(tables), valuesOf(tables), tablesOf(older), valuesOf(views), remark],
  ])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const tablesOf = (one?: Verdict) => (one === undefined ? '-' : `${one.equalTables} of ${one.tables}`)

function valuesOf(verdict?: Verdict): string {
  if (verdict === undefined) return '-'
  const [equal, all] = [verdict.equalValues, verdict.values].map((value) => value.toLocaleString('en-US'))
  return `${equal} of ${all}`
}

/** A page with the table between its markers. Errors: Error when the page has none. */
export function withTable(page: string, table: string): string {
  const [before, rest] = page.split(`${BEGIN}\n`)
  const after = rest?.split(`\n${END}`)[1]
  if (before === undefined || after === undefined)
    throw new Error(`the page has no lines ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`
}
