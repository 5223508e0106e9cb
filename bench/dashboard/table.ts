import { digits, markdownTable } from '../support/markdown.ts'
import { median, type Spread } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'

export interface QuestionCase {
  readonly title: string
  readonly rows: number
  readonly oursMs: readonly number[]
  readonly postgresMs: readonly number[]
}

/** REST alone, and beside clients that repeat all questions. */
export interface BesideCase {
  /** Setting of the server; empty for the defaults. */
  readonly setting: string
  readonly dashboards: number
  readonly alone: Spread
  readonly beside: Spread
  readonly questionsPerSecond: number
}

export type DashboardCase = QuestionCase | BesideCase

export function dashboardTables({ cases }: Result<DashboardCase>): string {
  const questions = cases.filter((one) => 'title' in one)
  const besides = cases.filter((one) => 'dashboards' in one)
  const rows = questions.map(({ title, rows, oursMs, postgresMs }) => {
    const [ours, theirs] = [median(oursMs), median(postgresMs)]
    return [title, String(rows), digits(ours), digits(theirs), digits(theirs / ours)]
  })
  const all = (of: (one: QuestionCase) => readonly number[]) =>
    questions.reduce((sum, one) => sum + median(of(one)), 0)
  const [ours, theirs] = [all(({ oursMs }) => oursMs), all(({ postgresMs }) => postgresMs)]
  const count = questions.reduce((sum, one) => sum + one.rows, 0)
  const sums = [
    'all ten, one after another',
    String(count),
    digits(ours),
    digits(theirs),
    digits(theirs / ours),
  ]
  return [
    markdownTable(['panel', 'rows', 'ours, ms', 'PostgreSQL, ms', 'PostgreSQL / ours'], [...rows, sums]),
    markdownTable(
      [
        'setting',
        'dashboards',
        'totals alone p50 / p99, ms',
        'beside them p50 / p99, ms',
        'p99 ratio',
        'statements/s',
      ],
      besides.map(({ setting, dashboards, alone, beside, questionsPerSecond }) => [
        ...[
          setting || 'defaults',
          String(dashboards),
          twoOf(alone),
          twoOf(beside),
          digits(beside.p99 / alone.p99),
        ],
        digits(questionsPerSecond),
      ]),
    ),
  ].join('\n\n')
}

const twoOf = ({ p50, p99 }: Spread) => `${digits(p50)} / ${digits(p99)}`
