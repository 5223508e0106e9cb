import { readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { isViewsFile, writeLakeViews } from '../../../answers/sql/views/lake-views.ts'
import { isViewsScript, scriptEngines, writeViewsScript } from '../../../answers/sql/views/views-script.ts'
import { fail } from '../../../base/errors.ts'
import { refuseUnwritableFolder } from '../../../lake/disk/unwritable.ts'
import { openLake } from '../../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { localPath, notEmpty, schemaName } from '../../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { openOutFile } from '../../out-file.ts'
import { print } from '../../terminal-text.ts'

export function addViewsCommand(program: Command): void {
  withSettings(
    program
      .command('views')
      .description(
        'Write the views of `sql`: a small DuckDB file, which any DuckDB opens, or SQL for an engine that reads the tables by itself; an older one is replaced.',
      )
      .addOption(new Option('--for <ENGINE>', 'who reads').choices(viewsEngines).default(viewsEngines[0]))
      .option(
        '--out <FILE>',
        'file to write, such as lake.duckdb; SQL goes to standard output without it',
        localPath,
      )
      .option('--force', 'replace any file, not only one that this command wrote', false)
      .option(
        '--location <PLACE>',
        'for spark and clickhouse: folder or address of the lake as they read it (default: the folder here)',
        notEmpty,
      )
      .option(
        '--views-schema <NAME>',
        'for trino, spark and clickhouse: schema or database of the views (default: ledgerlake)',
        schemaName,
      ),
    ['lake', 'trino_catalog', 'trino_schema'],
  ).action((flags: Flags & ViewsFlags) => writeViews(settingsFrom(flags), flags))
}

/** Engines for which views can be written. */
const viewsEngines = ['duckdb', ...scriptEngines] as const

/** Default schema of the views. */
const VIEWS_SCHEMA = 'ledgerlake'

interface ViewsFlags {
  readonly for: (typeof viewsEngines)[number]
  readonly out?: string
  readonly force: boolean
  readonly location?: string
  readonly viewsSchema?: string
}

/**
 * Writes the views of a lake: a DuckDB file over the newest snapshot, or SQL for an engine that reads the tables
 * itself, by default to standard output. Replaces earlier output.
 * Errors: `not_ready`, `lake_damaged`, `lake_unwritable`; `malformed_request` if another file is in place, or for flags
 * of another engine.
 */
async function writeViews(settings: Settings, flags: ViewsFlags): Promise<void> {
  const { for: engine, out = '' } = flags
  refuseOtherFlags(flags)
  await openLake(settings.lake)
  // Write absolute paths, so that the file can be opened or moved anywhere.
  const folder = await realpath(settings.lake)
  const at = await (await openLake(folder)).latest()
  if (engine === 'duckdb') {
    await replaceFile(out, flags, (beside) => writeLakeViews(beside, at))
    print(`${out} shows snapshot ${nameOf(at)}; write it again after an ingest, and after vacuum.`)
    return
  }
  const script = writeViewsScript(engine, at, {
    ...{ catalog: settings.trino_catalog, tables: settings.trino_schema },
    ...{ location: flags.location ?? folder, schema: flags.viewsSchema ?? VIEWS_SCHEMA },
  })
  if (out === '') return print(script.trimEnd())
  await replaceFile(out, flags, (beside) => writeFile(beside, script))
  print(`${out} has the views for ${engine}; they show the newest version of the tables.`)
}

function nameOf({ id }: Snapshot): string {
  return id === '' ? '(empty)' : id
}

function refuseOtherFlags({ for: engine, out, location, viewsSchema }: ViewsFlags): void {
  const refuse = (sentence: string) => fail('malformed_request', sentence)
  if (engine === 'duckdb' && out === undefined)
    refuse('--for duckdb writes a file; name it with --out, such as --out lake.duckdb.')
  if (engine === 'duckdb' && viewsSchema !== undefined)
    refuse('--views-schema is not for duckdb, whose views are in the file; use trino, spark or clickhouse.')
  if (location !== undefined && (engine === 'duckdb' || engine === 'trino'))
    refuse(`--location is for spark and clickhouse; with --for ${engine} leave it out.`)
}

/** Writes a file, replacing one of this command, or with `force` any other. */
async function replaceFile(
  out: string,
  { for: engine, force }: ViewsFlags,
  write: (beside: string) => Promise<void>,
): Promise<void> {
  const file = await openOutFile(out, { force, isOwn: isOfViews, isStreamed: engine !== 'duckdb' })
  try {
    await file.fill(write)
  } catch (error) {
    refuseUnwritableFolder(error, dirname(resolve(out)))
  }
}

async function isOfViews(path: string): Promise<boolean> {
  const content = await readFile(path)
  return isViewsFile(content) || isViewsScript(content)
}
