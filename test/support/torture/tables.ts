import { markdownTable } from '../../../bench/support/markdown.ts'
import type { Kill } from '../kills/commands.ts'
import { allKinds } from './faults.ts'
import type { Tried } from './tried.ts'

/** Points of each kind of fault in each scenario, as a table in Markdown; the last row has seconds. */
export function pointsTable(tried: readonly Tried[]): string {
  const scenarios = [...new Set(tried.map(({ scenario }) => scenario))]
  const count = (of: (point: Tried) => boolean) =>
    String(tried.filter((point) => of(point) && point.isHit).length)
  const seconds = (scenario?: string) => {
    const own = tried.filter((point) => scenario === undefined || point.scenario === scenario)
    return String(Math.round(own.reduce((sum, point) => sum + point.seconds, 0)))
  }
  const rows = allKinds.map((kind) => [
    kind,
    ...scenarios.map((name) => count((point) => point.kind === kind && point.scenario === name)),
    count((point) => point.kind === kind),
  ])
  const all = [
    'all',
    ...scenarios.map((name) => count(({ scenario }) => scenario === name)),
    count(() => true),
  ]
  const times = ['seconds', ...scenarios.map(seconds), seconds()]
  return markdownTable(['fault', ...scenarios, 'all'], [...rows, all, times])
}

/** Kills of each command. */
export function killsTable(kills: readonly Kill[]): string {
  const commands = [...new Set(kills.map(({ command }) => command))]
  const rows = commands.map((name) => {
    const own = kills.filter(({ command }) => command === name)
    return [name, String(own.length), String(Math.round(own.reduce((sum, { seconds }) => sum + seconds, 0)))]
  })
  return markdownTable(['killed', 'times', 'seconds'], rows)
}
