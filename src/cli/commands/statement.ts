import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { readKeyLines } from '../../answers/statement/lines/key-lines.ts'
import { readPriceLines } from '../../answers/statement/lines/price-lines.ts'
import { statementOf } from '../../answers/statement/statement.ts'
import { fail, ServiceError, sentenceOf } from '../../base/errors.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { statementParameters, statementQuery } from '../../doors/contract/statement-query.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { workAt } from '../at-snapshot.ts'
import { monthFlag, queryOfFlags } from '../flags/day-flags.ts'
import { localPath, repeated } from '../flags/flag-values.ts'
import { sheetOfFlags, spreadsheetFlag } from '../flags/spreadsheet-flag.ts'
import { type Flags, readingSettings, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { print } from '../terminal-text.ts'
import { keepStatement, releaseStatement, repeatLine } from './statement/kept-statements.ts'
import { requireFree, writeFolder } from './statement/statement-folder.ts'
import { summaryText } from './statement/summary-text.ts'

export function addStatementCommand(program: Command): void {
  const { owner, year, from, to, first_day, last_day, tz, as_of: asOf } = statementParameters
  const command = program
    .command('statement')
    .description(
      'Write what an owner or hotspots were paid: a CSV for each token, and a summary that ties out with totals.',
    )
    .option('--out <DIR>', 'folder to write; it gets its name when it is complete', localPath)
    .option('--owner <ADDRESS>', `${owner} May be given several times.`, repeated)
    .option(
      '--keys-file <FILE>',
      'lines of key[,from[,to]] or key[,bought DAY][,sold DAY], or with a name instead of the key: hotspots instead of an owner, or beside it those that changed hands',
      localPath,
    )
    .option(
      '--prices <FILE>',
      'lines of day,token,currency,price, such as 2025-02-14,HNT,EUR,2.4183: values rewards at these prices too',
      localPath,
    )
    .option('--year <YEAR>', year)
    .addOption(monthFlag())
    .option('--first-day <DAY>', first_day)
    .option('--last-day <DAY>', last_day)
    .option('--from <DAY>', from)
    .option('--to <DAY>', to)
    .option('--tz <ZONE>', tz)
    .addOption(spreadsheetFlag())
    .option('--as-of <SNAPSHOT>', asOf)
    .option(
      '--keep',
      'have vacuum spare the files of its snapshot, so that it can be repeated until --release',
    )
    .option(
      '--release <DIGEST>',
      'let a kept statement go: the first digits of its digest, as status lists them',
    )
  withSettings(command, readingSettings).action(async ({ release, ...flags }: Flags & StatementFlags) => {
    const settings = settingsFrom(flags)
    if (release !== undefined) return await releaseStatement(settings, release)
    if (flags.out === undefined) fail('malformed_request', '--out is missing; name a folder to write.')
    await runStatement(settings, queryOf(flags), flags.out, flags)
  })
}

interface StatementFlags {
  readonly owner?: readonly string[]
  readonly out?: string
  readonly keysFile?: string
  readonly prices?: string
  readonly keep?: true
  readonly release?: string
}

/** Builds the query of the equal REST request. `year` is a parameter of statements. */
const queryOf = ({ year, owner: _, ...flags }: Flags) => ({
  ...queryOfFlags(flags, Object.keys(statementParameters)),
  ...sheetOfFlags(flags),
  ...(year !== undefined && { year: String(year) }),
})

/**
 * Writes a statement to the folder `out`, which is renamed into place when complete.
 * Errors: `malformed_request`, `not_found`, those of the lake, and of the file system.
 */
async function runStatement(
  settings: Settings,
  query: RawQuery,
  out: string,
  { owner: texts = [], keysFile, prices: pricesFile, keep }: StatementFlags,
): Promise<void> {
  const [owner, ...others] = texts
  const checkOwner = (text: string | undefined) =>
    statementQuery({ ...query, ...(text !== undefined && { owner: text }) }, keysFile === undefined)
  const { days, tz, asOf, locale, owner: first } = checkOwner(owner)
  const owners = [first, ...others.map((text) => checkOwner(text).owner)].filter((text) => text !== undefined)
  const keys = keysFile && readKeyLines(await readFlagFile('--keys-file', keysFile), keysFile)
  const prices =
    pricesFile && readPriceLines(await readFlagFile('--prices', pricesFile), basename(pricesFile))
  const holder = { owners, ...(keys && { keys }) }
  const folder = resolve(out)
  await requireFree(folder, out)
  await workAt(settings, asOf, async (services, at, signal) => {
    // Without the index by hotspot, the engine would scan all files of the months for each hotspot.
    for (const one of services.derived) await one.load(at)
    const parts = statementOf(
      services.repository,
      { holder, days, tz, locale, ...(prices && { prices }) },
      at,
      signal,
    )
    const summary = await writeFolder(folder, out, parts, async (complete) => {
      if (keep === true) await keepStatement(settings, at, complete)
    })
    print(summaryText(summary).trimEnd())
    print(repeatLine(summary, keep === true))
    print(`The statement is in ${out}`)
  }).catch(adviseToKeep)
}

/** Adds what could have been done against a vacuum. */
function adviseToKeep(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'gone') throw error
  return fail('gone', `${error.message} A statement made with --keep can be repeated after a vacuum.`, {
    cause: error,
  })
}

async function readFlagFile(flag: string, path: string): Promise<string> {
  return await readFile(path, 'utf8').catch((cause) =>
    fail('malformed_request', `Cannot read ${flag} ${path}: ${sentenceOf(cause)}.`, { cause }),
  )
}
