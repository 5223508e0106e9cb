import { type Command, Option } from 'commander'
import { earningsOf } from '../../answers/earnings/earnings.ts'
import { earningsFile } from '../../answers/earnings/earnings-file.ts'
import type { EarningsFormat } from '../../answers/earnings/earnings-format.ts'
import { earningsFormat, earningsFormats } from '../../answers/earnings/earnings-formats.ts'
import { earningsSummary } from '../../answers/earnings/earnings-summary.ts'
import { taxFormats } from '../../answers/earnings/tax-files.ts'
import { shareTables } from '../../answers/statement/share-tables.ts'
import { fullReach } from '../../answers/unknown/reach.ts'
import { fail } from '../../base/errors.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { dateOf, epochOf } from '../../base/values/epoch-day.ts'
import type { Days } from '../../catalog/query/days.ts'
import { givesPaidDays } from '../../catalog/query/paid-days.ts'
import { earningsParameters, earningsQuery } from '../../doors/contract/earnings-query.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Services } from '../../services/services.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { workAt } from '../at-snapshot.ts'
import { monthFlag, queryOfFlags, yearFlag } from '../flags/day-flags.ts'
import { localPath } from '../flags/flag-values.ts'
import { sheetOfFlags, spreadsheetFlag } from '../flags/spreadsheet-flag.ts'
import { type Flags, readingSettings, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { openOutFile } from '../out-file.ts'
import { print, printJson, printLines } from '../terminal-text.ts'
import { earningsTable, tableSteps } from './earnings/earnings-table.ts'
import { findHolder } from './earnings/find-holder.ts'
import { writeFile, writeTo } from './export/write-export.ts'

const taxTools = taxFormats.map(({ name }) => name)

/** Days that are shown unless others are given, the newest ones. */
const USUAL_DAYS = 30

export function addEarningsCommand(program: Command): void {
  const { first_day, last_day, tz, as_of: asOf } = earningsParameters
  const names = earningsFormats.map(({ name }) => name).join(', ')
  const command = program
    .command('earnings')
    .description(
      `Show what hotspots earned by day, and what is not known; of the newest ${USUAL_DAYS} days unless given.`,
    )
    .argument('<who...>', 'names or keys of hotspots, or the address of an owner')
    .addOption(monthFlag())
    .addOption(yearFlag())
    .option('--first-day <DAY>', first_day)
    .option('--last-day <DAY>', last_day)
    .option('--tz <ZONE>', tz)
    .option('--as-of <SNAPSHOT>', asOf)
    .addOption(
      new Option('--by <STEP>', 'a line for each day, or the sums alone').choices(tableSteps).default('day'),
    )
    .addOption(
      new Option('--json', 'print rows, sums and gaps as JSON').conflicts([
        'csv',
        'format',
        'out',
        'spreadsheet',
        'for',
      ]),
    )
    .addOption(new Option('--csv', 'print a row for each day and hotspot as CSV').conflicts('format'))
    .addOption(spreadsheetFlag())
    .addOption(
      new Option('--for <TOOL>', 'a file that a tax tool imports, with payments alone')
        .choices(taxTools)
        .conflicts(['format', 'csv', 'spreadsheet']),
    )
    .option('--format <NAME>', `write a file with these rows: ${names}`)
    .option(
      '--out <FILE>',
      'file to write instead of standard output; it gets its name when complete',
      localPath,
    )
    .option('--force', 'replace the file where one is there', false)
  withSettings(command, readingSettings).action((who: readonly string[], flags: Flags & EarningsFlags) =>
    runEarnings(settingsFrom(flags), who, flags),
  )
}

interface EarningsFlags {
  readonly by: (typeof tableSteps)[number]
  readonly json?: true
  readonly csv?: true
  readonly format?: string
  readonly for?: string
  readonly out?: string
  readonly force: boolean
}

/**
 * Prints the earnings of hotspots as a table, JSON or a file, or writes the file.
 * Errors: `malformed_request`, `not_found`, those of the lake, and of the file system.
 */
async function runEarnings(
  settings: Settings,
  who: readonly string[],
  flags: Flags & EarningsFlags,
): Promise<void> {
  const sheet = sheetOfFlags(flags)
  const raw: RawQuery = {
    ...queryOfFlags(flags, ['first_day', 'last_day', 'tz', 'as_of']),
    ...{ ...sheet, hotspot_key: who.join(',') },
  }
  const hasDays = givesPaidDays(raw)
  const { texts = [], tz, asOf, locale, ...query } = earningsQuery(hasDays ? raw : { ...raw, ...anyDays })
  const format = formatOf({ ...flags, ...sheet })
  const out =
    flags.out === undefined
      ? undefined
      : await openOutFile(flags.out, { force: flags.force, isStreamed: true })
  await workAt(settings, asOf, async (services, at, signal) => {
    // Without the index by hotspot, the engine would scan all files of the months.
    for (const one of services.derived) await one.load(at)
    const { repository } = services
    const days = hasDays ? query.days : await newestDays(services, at, signal)
    const holder = await findHolder(repository, texts, at, signal)
    const request = { holder, days, tz, reach: fullReach, locale }
    const earnings = await earningsOf(repository, request, at, signal)
    if (format === undefined) {
      if (flags.json) {
        const { head, rows } = await earningsSummary(earnings, request, at, signal)
        return printJson({ ...head, rows })
      }
      return printLines(await earningsTable(earnings, request, flags.by, signal))
    }
    const file = earningsFile(earnings, request, format, signal)
    if (out === undefined) return await writeTo(process.stdout, file, signal)
    await writeFile(out, `${flags.out}`, file, signal)
    print(`${file.rows} rows, ${days.first} to ${days.last}, snapshot ${at.id}, are in ${flags.out}`)
  })
}

/** Days that pass the checks; they are replaced once the lake is open. */
const anyDays = { first_day: '2000-01', last_day: '2000-01' }

/** Errors: `malformed_request` for an unknown format, and for a file without a format. */
function formatOf({
  csv,
  for: tool,
  format: name = tool,
  out = '',
}: EarningsFlags): EarningsFormat | undefined {
  const byExtension = earningsFormats.find(({ extension }) => out.endsWith(extension))
  const format = csv ? earningsFormat('csv') : name === undefined ? byExtension : earningsFormat(name)
  if (format !== undefined || (name === undefined && out === '')) return format
  const names = earningsFormats.map((one) => one.name).join(', ')
  return fail('malformed_request', `--format is ${name ?? 'missing'}; use one of ${names}.`)
}

async function newestDays(
  { repository: { coverages } }: Services,
  at: Snapshot,
  signal: AbortSignal,
): Promise<Days> {
  await coverages.read(at, signal)
  const newest = shareTables.flatMap((resource) => coverages.peek(resource, at)?.newest ?? [])
  if (newest.length === 0)
    fail('not_found', 'The lake has no rewards yet; fill it with: ledgerlake ingest PATH...')
  const last = Math.max(...newest.map(epochOf))
  return { first: dateOf(last + 1 - USUAL_DAYS), last: dateOf(last) }
}
