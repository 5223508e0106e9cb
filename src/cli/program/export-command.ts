import { type Command, Option } from 'commander'
import { exportFormats } from '../../catalog/export-formats.ts'
import { paidDayParameters } from '../../catalog/query/paid-days.ts'
import { resources } from '../../catalog/resources.ts'
import { exported, type OutFlags, runExport } from '../commands/export.ts'
import { daysOfFlags, flagName, monthFlag, yearFlag } from '../flags/day-flags.ts'
import { localPath } from '../flags/flag-values.ts'
import { type Flags, print, readingSettings, settingsFrom, withSettings } from '../flags/with-settings.ts'

/** Filters of all lists by their names, each with what it does in the first list that has it. */
const filters = new Map(
  resources
    .filter(({ rest }) => rest !== undefined)
    .flatMap((resource) => Object.entries(resource.filters ?? {}))
    .reverse(),
)

const flagOf = (parameter: string) => `--${parameter.replaceAll('_', '-')}`

/** Parameters of REST that the command has as flags, apart from filters. */
const otherParameters = [...Object.keys(paidDayParameters), 'format', 'columns', 'integers', 'as_of']

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description('Write a whole list to a file, with the columns of its flat table.')
    .argument('<list>', `one of ${exported.join(', ')}`)
    .requiredOption(
      '--out <FILE>',
      'file to write, - for standard output; it gets its name when it is complete',
      localPath,
    )
    .option('--force', 'replace the file where one is there', false)
    .option(
      '--format <NAME>',
      `${exportFormats.map(({ name }) => name).join(', ')} (default: by the name of the file)`,
    )
    .option('--columns <NAMES>', 'only these columns, separated by commas, in this order')
    .option('--integers <FORM>', 'string writes 64-bit integers of ndjson as strings')
    .option('--as-of <SNAPSHOT>', 'id of a snapshot, or an instant (default: the newest)')
    .addOption(monthFlag())
    .addOption(yearFlag())
  for (const [name, doc] of Object.entries(paidDayParameters))
    command.addOption(new Option(`${flagOf(name)} <DAY>`, doc))
  for (const [name, { doc }] of [...filters].reverse())
    command.addOption(new Option(`${flagOf(name)} <VALUE>`, doc))
  withSettings(command, readingSettings).action((name: string, flags: Flags & OutFlags) =>
    runExport(settingsFrom(flags), name, { ...queryOf(flags), ...daysOfFlags(flags) }, flags, print),
  )
}

/** The query that REST would be asked. */
function queryOf(flags: Flags): Readonly<Record<string, string>> {
  const given = [...otherParameters, ...filters.keys()].flatMap((parameter) => {
    const value = flags[flagName(parameter)]
    return value === undefined ? [] : [[parameter, String(value)]]
  })
  return Object.fromEntries(given)
}
