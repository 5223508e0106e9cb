import { readFileSync } from 'node:fs'

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly rawSql: string }[]
  }[]
}

/** A panel of the dashboard: its statement here, and for PostgreSQL. */
export interface Question {
  readonly title: string
  readonly statement: string
  readonly forPostgres: string
}

/** The panels of deploy/grafana for some days, with the macros of Grafana as its PostgreSQL data source writes them. */
export function dashboardQuestions(first: string, last: string, hotspot: string): readonly Question[] {
  const file = new URL('../../deploy/grafana/dashboards/earnings.json', import.meta.url)
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as Dashboard
  return panels.flatMap(({ title, targets }) =>
    targets.map(({ rawSql }) => {
      const statement = rawSql
        .replace(/\$__timeFilter\((\w+)\)/g, `$1 BETWEEN '${first}T00:00:00Z' AND '${last}T23:59:59.999Z'`)
        .replaceAll('$hotspot', hotspot.replaceAll("'", "''"))
      return { title, statement, forPostgres: statement.replace(/printf\('%x', (\w+)\)/g, 'to_hex($1)') }
    }),
  )
}
