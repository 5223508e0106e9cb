import type { Command } from 'commander'
import { errorTable, unlessDamaged } from '../../base/errors.ts'
import { visible } from '../../base/visible.ts'
import { type DiskUse, diskUse } from '../../lake/snapshot/disk-use.ts'
import { openLake } from '../../lake/snapshot/lake.ts'
import { blockRangeOf, lakeStatus, type TableStatus } from '../../lake/snapshot/status.ts'
import { readSources } from '../../operate/sync/source-status.ts'
import { stateFolderOf } from '../../services/folders.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { calendarLegend, calendarLines } from '../coverage-calendar.ts'
import { readCoverages } from '../coverages.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { keptLines, readKeptStatus } from '../kept-lines.ts'
import { sourceLines, sourceOf } from '../source-lines.ts'
import { alignColumns, print, printJson, printLines, sizeText } from '../terminal-text.ts'

export function addStatusCommand(program: Command): void {
  withSettings(
    program
      .command('status')
      .description(
        'Show what the lake holds: tables, rows, periods or blocks, disk use, kept statements, missing days.',
      )
      .option('--json', 'print it as JSON'),
    ['lake', 'state'],
  ).action((flags: Flags) => status(settingsFrom(flags), flags.json === true))
}

const HEADS = ['table', 'rows', 'files', 'size', 'sources', 'refused', 'version']
const RANGE_HEADS = ['table', 'first', 'last']

async function status(settings: Settings, json: boolean): Promise<void> {
  const lake = await openLake(settings.lake)
  const at = await lake.latest()
  const status = lakeStatus(at)
  if (status.unreadable !== undefined) process.exitCode = errorTable.lake_damaged.exit
  const { coverages, fault } = await readCoverages(settings, at)
  const disk = await diskUse(settings.lake, stateFolderOf(settings), at)
  const sources = await readSources(stateFolderOf(settings))
  const kept = await readKeptStatus(settings, lake, at)
  const blocks = new Map(
    at.tables.map((table) => [table.resource.name, unlessDamaged(() => blockRangeOf(table))]),
  )
  if (json) {
    const tables = status.tables.map((table) => {
      const [firstBlock = null, lastBlock = null] = blocks.get(table.table)?.map(String) ?? []
      return { ...table, firstBlock, lastBlock, coverage: coverages.get(table.table) ?? null }
    })
    const coverageFault = fault === undefined ? {} : { coverageFault: fault }
    return printJson({ ...status, ...coverageFault, disk, ...kept, sources: sources.map(sourceOf), tables })
  }
  printLines(titleLines(settings.lake, status.snapshot))
  if (at.isEmpty)
    return print(
      `Nothing has been ingested yet; fill it with: ledgerlake ingest PATH... --lake ${settings.lake}`,
    )
  printLines(alignColumns([HEADS, ...status.tables.map(tableCells)]))
  const ranges = status.tables.flatMap((table) => rangeCells(table, blocks.get(table.table)))
  for (const { table, problem } of status.unreadable ?? [])
    print(visible(`${table} cannot be read: ${problem}`))
  if (ranges.length > 0) printLines(['', ...alignColumns([RANGE_HEADS, ...ranges])])
  printLines(['', ...diskLines(disk)])
  for (const line of keptLines(kept)) print(visible(line))
  if (sources.length > 0) for (const line of ['', ...sourceLines(sources)]) print(visible(line))
  if (fault !== undefined) print(`\nThe missing days cannot be determined: ${fault}`)
  if (coverages.size > 0) printLines(['', ...calendarLegend])
  for (const [table, coverage] of coverages)
    for (const line of ['', ...calendarLines(table, coverage)]) print(visible(line))
}

/** Returns the title in one line, or in two if it is too long. The id is never cut, so that it can be copied. */
function titleLines(lake: string, snapshot: string): readonly string[] {
  const line = `${lake}, snapshot ${snapshot === '' ? '(empty)' : snapshot}`
  return line.length <= COLUMNS ? [line] : [`${lake}, snapshot`, snapshot]
}

const COLUMNS = 80

function tableCells(status: TableStatus): readonly string[] {
  const { table, rows, files, bytes, sources, refused, version } = status
  return [table, `${rows}`, `${files}`, sizeText(bytes), ...[sources, refused, version].map(String)]
}

/** Returns the first and last end of a period, or the first and last block. */
function rangeCells(
  { table, firstPeriod, lastPeriod }: TableStatus,
  blocks: ReturnType<typeof blockRangeOf>,
): readonly (readonly string[])[] {
  if (firstPeriod !== null && lastPeriod !== null) return [[table, firstPeriod, lastPeriod]]
  return blocks === undefined ? [] : [[table, `block ${blocks[0]}`, `block ${blocks[1]}`]]
}

function diskLines({ tables, oldFiles, log, state, staging, free }: DiskUse): readonly string[] {
  const parts = [
    `tables ${sizeText(tables)}, log ${sizeText(log)}, state ${sizeText(state)}`,
    ...(staging === 0 ? [] : [`staging ${sizeText(staging)}`]),
    ...(free === null ? [] : [`${sizeText(free)} free`]),
  ]
  const line = `disk: ${parts.join(', ')}`
  if (oldFiles === 0) return [line]
  return [line, `      ${sizeText(oldFiles)} of older snapshots alone; ledgerlake vacuum removes them`]
}
