import { openLake } from '../../lake/lake.ts'
import { lakeStatus, type TableStatus } from '../../lake/status.ts'
import type { Settings } from '../../settings.ts'
import { alignColumns, type Print } from '../terminal-text.ts'

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
  const found = lakeStatus(await lake.latest())
  if (json) {
    print(JSON.stringify(found, null, 2))
    return
  }
  print(`${settings.lake}, snapshot ${found.snapshot === '' ? '(empty)' : found.snapshot}`)
  if (found.tables.length === 0) {
    print(`Nothing has been ingested yet; fill it with: ledgerlake ingest PATH... --lake ${settings.lake}`)
    return
  }
  const cells = found.tables.map(tableCells)
  for (const line of alignColumns([HEADS, ...cells])) print(line)
  for (const { table, missingDays } of found.tables) {
    if (missingDays.length > 0) print(`${table} has no period that ends on: ${missingDays.join(', ')}`)
  }
}

function tableCells(table: TableStatus): readonly string[] {
  const counts = [table.version, table.rows, table.files, table.bytes, table.sources, table.refused]
  return [table.table, ...counts.map(String), table.firstPeriod ?? '-', table.lastPeriod ?? '-']
}
