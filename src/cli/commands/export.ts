import { type Command, Option } from 'commander'
import { exportList } from '../../answers/export/export-list.ts'
import type { Repository } from '../../answers/repository.ts'
import { identifiedBy } from '../../answers/unknown/identified.ts'
import { fullReach } from '../../answers/unknown/reach.ts'
import { fail } from '../../base/errors.ts'
import { quoted, type RawQuery } from '../../base/parameter-text.ts'
import { exportFormats } from '../../catalog/export-formats.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { paidDayParameters } from '../../catalog/query/paid-days.ts'
import { exportColumns } from '../../catalog/records/flat-columns.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import { querySchema } from '../../doors/contract/query-schema.ts'
import { knownNames } from '../../doors/known-names.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { workAt } from '../at-snapshot.ts'
import { monthFlag, queryOfFlags, yearFlag } from '../flags/day-flags.ts'
import { localPath } from '../flags/flag-values.ts'
import { sheetOfFlags, spreadsheetFlag } from '../flags/spreadsheet-flag.ts'
import { type Flags, readingSettings, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { openOutFile } from '../out-file.ts'
import { print } from '../terminal-text.ts'
import { DATABASE_FORMAT, type DatabaseFlags, exportDatabase } from './export/export-database.ts'
import { writeFile, writeTo } from './export/write-export.ts'

/** Filters of all lists by name, each described as in the first list that has it. */
const filters = new Map(
  resources
    .filter(({ rest }) => rest !== undefined)
    .flatMap((resource) => Object.entries(resource.filters ?? {}))
    .reverse(),
)

const flagOf = (parameter: string) => `--${parameter.replaceAll('_', '-')}`

/** Parameters of REST that the command has as flags. */
const parameters = [
  ...[...Object.keys(paidDayParameters), 'format', 'locale', 'columns', 'integers', 'as_of'],
  ...filters.keys(),
]

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description(
      'Write a whole list to a file, with the columns of its flat table; or with --all, all tables to a DuckDB file.',
    )
    .argument('[list]', `one of ${exported.join(', ')}`)
    .option(
      '--all',
      'all tables and joined views as one DuckDB file, of the days --from DAY --to DAY and of --owner',
      false,
    )
    .requiredOption(
      '--out <FILE>',
      'file to write, - for standard output; it gets its name when it is complete',
      localPath,
    )
    .option('--force', 'replace the file where one is there', false)
    .option(
      '--format <NAME>',
      `${exportFormats.map(({ name }) => name).join(', ')}, with --all ${DATABASE_FORMAT} (default: by the name of the file)`,
    )
    .addOption(spreadsheetFlag())
    .option('--columns <NAMES>', 'only these columns, separated by commas, in this order')
    .option('--integers <FORM>', 'string writes 64-bit integers of ndjson as strings')
    .option('--as-of <SNAPSHOT>', 'id of a snapshot, or an instant (default: the newest)')
    .addOption(monthFlag())
    .addOption(yearFlag())
  for (const [name, doc] of Object.entries(paidDayParameters))
    command.addOption(new Option(`${flagOf(name)} <DAY>`, doc))
  for (const [name, { doc }] of [...filters].reverse())
    command.addOption(new Option(`${flagOf(name)} <VALUE>`, doc))
  withSettings(command, readingSettings).action((name: string | undefined, flags: Flags & ExportFlags) => {
    const [settings, query] = [
      settingsFrom(flags),
      { ...queryOfFlags(flags, parameters), ...sheetOfFlags(flags) },
    ]
    if (name === undefined && flags.all) return exportDatabase(settings, query, flags)
    if (name === undefined || flags.all)
      fail('malformed_request', 'Name a list, or give --all for all tables; exactly one of them.')
    return runExport(settings, name, query, flags)
  })
}

interface ExportFlags extends DatabaseFlags {
  readonly all: boolean
}

/** Names of the lists that can be exported. */
const exported: readonly string[] = resources.flatMap(({ name, rest }) => (rest === undefined ? [] : [name]))

/**
 * Writes a whole list to a file, which is renamed into place when complete; `out` is `-` for standard output.
 * Errors: `malformed_request`, those of the lake, and of the file system.
 */
async function runExport(
  settings: Settings,
  name: string,
  query: RawQuery,
  { out, force }: DatabaseFlags,
): Promise<void> {
  const resource = resourceNamed(name)
  const byName = exportFormats.find(({ extension }) => out.endsWith(extension))
  const checked = querySchema(resource, 'list')(query, byName)
  const { format, columns = exportColumns(resource), integersAsText, locale } = checked
  if (format === undefined)
    fail('malformed_request', `Name a format: --format ${exportFormats.map((one) => one.name).join(', ')}.`)
  const file = out === '-' ? undefined : await openOutFile(out, { force, isStreamed: true })
  await workAt(settings, checked.asOf, async (services, at, signal) => {
    knownNames(resource)(checked.filters, at.table(resource))
    // Without the index by hotspot, the engine would scan all files of the months for one hotspot.
    for (const one of [services.index, services.blocks]) await one.load(at)
    const filters = await services.repository.dayRanges.read(resource, checked, at, signal)
    const request = { resource, filters, columns, format, options: { integersAsText, locale } }
    const list = await exportList(services.repository, request, at, signal)
    if (list.rows === 0) await refuseUnknown(services.repository, resource, filters, at, signal)
    if (file === undefined) return await writeTo(process.stdout, list, signal)
    await writeFile(file, out, list, signal)
    print(`${list.rows} rows of ${resource.name}, snapshot ${at.id}, are in ${out}`)
  })
}

/** Errors: `not_found` for an unknown key, address or name: an empty file would claim that it has no rows. */
async function refuseUnknown(
  { unknown }: Repository,
  resource: Resource,
  filters: Filters,
  at: Snapshot,
  signal: AbortSignal,
): Promise<void> {
  const absent = await unknown.read(identifiedBy(resource, filters), fullReach, at, signal)
  const sentences = Object.entries(absent).flatMap(([param, values]) =>
    (values ?? []).map((value) => `Nothing has the ${param} ${quoted(value)}; check its spelling.`),
  )
  if (sentences.length > 0) fail('not_found', `${sentences.join(' ')} No file was written.`)
}

/** Finds a list by its name, `iot_reward_shares`, or by its path in REST. */
function resourceNamed(name: string): Resource {
  const plain = name.replaceAll('-', '_')
  const resource = resources.find((one) => one.name === plain && exported.includes(plain))
  return resource ?? fail('malformed_request', `The list ${outsideOf(exported, [name])}.`)
}
