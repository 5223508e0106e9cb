import { openLake } from '../../lake/lake.ts'
import { lakeStatus, type TableStatus } from '../../lake/status.ts'
import type { Settings } from '../../settings.ts'
import { calendarLegend, calendarLines } from '../coverage-calendar.ts'
import { readCoverages } from '../coverages.ts'
import { alignColumns, type Print, visible } from '../terminal-text.ts'

const HEADS = [
  'table',
  'version',
  'rows',
  'files',
  'bytes',
  'sources',
  'refused',
  'first period',
  'last period',
]

export async function status(settings: Settings, json: boolean, print: Print): Promise<void> {
  const lake = await openLake(settings.lake)
  const at = await lake.latest()
  const found = lakeStatus(at)
  const { coverages, fault } = await readCoverages(settings, at)
  if (json) {
    const tables = found.tables.map((table) => ({ ...table, coverage: coverages.get(table.table) ?? null }))
    const coverageFault = fault === undefined ? {} : { coverageFault: fault }
    print(JSON.stringify({ snapshot: found.snapshot, ...coverageFault, tables }, null, 2))
    return
  }
  print(`${settings.lake}, snapshot ${found.snapshot === '' ? '(empty)' : found.snapshot}`)
  if (found.tables.length === 0) {
    print(`Nothing has been ingested yet; fill it with: ledgerlake ingest PATH... --lake ${settings.lake}`)
    return
  }
  const cells = found.tables.map(tableCells)
  for (const line of alignColumns([HEADS, ...cells])) print(line)
  if (fault !== undefined) print(`\nWhat is missing cannot be told: ${fault}`)
  if (coverages.size > 0) for (const line of ['', ...calendarLegend]) print(line)
  for (const [table, coverage] of coverages)
    for (const line of ['', ...calendarLines(table, coverage)]) print(visible(line))
}

function tableCells(table: TableStatus): readonly string[] {
  const counts = [table.version, table.rows, table.files, table.bytes, table.sources, table.refused]
  return [table.table, ...counts.map(String), table.firstPeriod ?? '-', table.lastPeriod ?? '-']
}
