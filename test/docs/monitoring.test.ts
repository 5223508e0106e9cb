import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { referencePages } from '../../scripts/write-reference.ts'
import { logBackgroundErrorsTo, noteFailure } from '../../src/base/background.ts'
import { defaultStateFolder } from '../../src/lake/disk/layout.ts'
import { Spending } from '../../src/operate/sync/spending.ts'
import { changeSyncState, sourceFolder } from '../../src/operate/sync/sync-state.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { some } from '../support/some.ts'

const textOf = (name: string) =>
  readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8')

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

/** Texts in quotes of either kind, as YAML has them. */
const ruled = textOf('prometheus-rules.yml').matchAll(
  /alert: (\w+)\n +expr: (?:'((?:[^']|'')*)'|("(?:[^"\\]|\\.)*"))$/gm,
)
const rules = [...ruled].map(([, name = '', single, double]) => {
  const expr = single === undefined ? String(JSON.parse(double ?? '')) : single.replaceAll("''", "'")
  return [name, expr] as const
})
const { panels } = JSON.parse(textOf('grafana-dashboard.json')) as Dashboard
const shown = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const))

/** What Prometheus adds to every sample. */
const added = ['job', 'instance']
const words = new Set('sum max min count by rate delta time histogram_quantile and or unless on'.split(' '))

/** Names in an expression that are no metrics, and labels that its metrics do not have. */
function faultsOf(expr: string, labelsOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const faults: string[] = []
  const used = new Set<string>(added)
  const bare = expr
    .replace(/([a-z_]\w*)\{([^}]*)\}/g, (_, name: string, matchers: string) => {
      for (const [, label = ''] of matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
        if (![...added, ...(labelsOf.get(name) ?? [])].includes(label)) faults.push(`${name}{${label}}`)
      return name
    })
    .replace(/\[[^\]]*\]/g, '')
  const grouped = [...bare.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  for (const [name] of bare.replace(/\b(by|on) \([^)]*\)/g, '').matchAll(/\b[a-z_]\w*\b/g)) {
    const labels = labelsOf.get(name)
    if (labels === undefined && !words.has(name)) faults.push(name)
    for (const label of labels ?? []) used.add(label)
  }
  return [...faults, ...grouped.filter((label) => !used.has(label))]
}

describe('monitoring', async () => {
  const lake = await smallLake()
  const address = 's3://bucket'
  const source = { address, folder: sourceFolder(defaultStateFolder(lake), address) }
  await changeSyncState(source, { doneAt: Date.now() })
  const free = { perThousandLists: 0n, perThousandReads: 0n, perGb: 0n }
  const spending = await Spending.open(source.folder, free, undefined)
  await spending.close()
  logBackgroundErrorsTo(() => {})
  noteFailure('a task', 'why')
  const { server } = await buildTestServer(lake, undefined, undefined, { mostConnections: 100 })
  await server.inject({ url: '/v1/net/status' })
  const { body } = await server.inject({ url: '/metrics' })
  const labelsOf = new Map<string, readonly string[]>([['up', []]])
  for (const [, name = '', labels = ''] of body.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm))
    labelsOf.set(
      name,
      [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
    )

  it.each(rules)('alert %s queries existing metrics and labels: %s', (_, expr) => {
    expect(faultsOf(expr, labelsOf)).toEqual([])
  })

  it.each(shown)('panel %s shows existing metrics and labels: %s', (_, expr) => {
    expect(faultsOf(expr, labelsOf)).toEqual([])
  })

  it.each([
    ['sum(ledgerlake_requests)', ['ledgerlake_requests']],
    ['rate(ledgerlake_rows{tables="x"}[5m])', ['ledgerlake_rows{tables}']],
    ['max by (status) (ledgerlake_rows)', ['status']],
    ['avg(ledgerlake_rows)', ['avg']],
    ['max by (table) (ledgerlake_rows{job=~"$job"}) > 2 * 86400', []],
  ])('the check finds the error in %s', (expr, faults) => {
    expect(faultsOf(expr, labelsOf)).toEqual(faults)
  })

  it('checks every rule and every panel', () => {
    expect(rules).toHaveLength(textOf('prometheus-rules.yml').match(/expr:/g)?.length ?? 0)
    expect(rules.length).toBeGreaterThan(10)
    expect(some(panels).filter(({ targets }) => targets.length === 0)).toEqual([])
  })

  it('shows or watches every metric of the program', () => {
    const page = referencePages()['docs/reference/metrics.md'] ?? ''
    const names = [...page.matchAll(/^\| `(ledgerlake_\w+)` \| (\w+)/gm)].map(([, name = '']) => name)
    const text = [...rules, ...shown].map(([, expr]) => expr).join('\n')
    const unused = some(names).filter((name) => !new RegExp(`\\b${name}(_bucket)?\\b`).test(text))
    // A statement that ends its process has told whoever sent it.
    expect(unused).toEqual([
      'ledgerlake_sources',
      'ledgerlake_sql_processes_ended_total',
      'ledgerlake_reply_cache_entries',
    ])
  })
})
