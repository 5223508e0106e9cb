import { dirname, join, resolve } from 'node:path'
import { type LakeDatabase, writeLakeDatabase } from '../../../answers/sql/database/lake-database.ts'
import { fullReach } from '../../../answers/unknown/reach.ts'
import { fail, type ParamFault } from '../../../base/errors.ts'
import { quoted, refuse } from '../../../base/parameter-text.ts'
import { holdersOf } from '../../../catalog/identities.ts'
import { hotspots } from '../../../catalog/l2/hotspots.ts'
import type { Days } from '../../../catalog/query/days.ts'
import { combineChecks } from '../../../catalog/query/filter-values.ts'
import { paidDayChecks } from '../../../catalog/query/paid-days.ts'
import { refuseUnwritableFolder } from '../../../lake/disk/unwritable.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { openSpillFolder, stateFolderOf } from '../../../services/folders.ts'
import type { Services } from '../../../services/services.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { workAt } from '../../at-snapshot.ts'
import { openOutFile } from '../../out-file.ts'
import { print } from '../../terminal-text.ts'

/** Parameters that limit a database file. `from` and `to` are days, as are `first_day` and `last_day`. */
const accepted = ['from', 'to', 'first_day', 'last_day', 'owner', 'as_of', 'format']

export const DATABASE_FORMAT = 'duckdb'

export interface DatabaseFlags {
  readonly out: string
  readonly force: boolean
}

/**
 * Writes a DuckDB file with all tables, which is renamed into place when complete.
 * Errors: `malformed_request`, `not_found` for an unknown owner, those of the lake, and of the file system.
 */
export async function exportDatabase(
  settings: Settings,
  query: Readonly<Record<string, string>>,
  { out, force }: DatabaseFlags,
): Promise<void> {
  refuseOtherParameters(query, out)
  const days = daysOf(query)
  const { owner, as_of: asOf } = query
  const file = await openOutFile(out, { force, isStreamed: false })
  await workAt(settings, asOf, async (services, at, signal) => {
    if (owner !== undefined) await requireOwner(services, owner, at, signal)
    const spill = await openSpillFolder(join(stateFolderOf(settings), 'spill'))
    const limits = { ...(days !== undefined && { days }), ...(owner !== undefined && { owner }) }
    const options: Omit<LakeDatabase, 'path'> = {
      ...{ limits, signal, checkedFiles: services.checkedFiles, spillFolder: spill.folder },
      ...{ memoryMb: settings.engine_memory_mb, threads: settings.engine_threads },
    }
    try {
      await file.fill(async (path) => {
        const rows = await writeLakeDatabase(at, { ...options, path })
        for (const table of rows) print(`${table.rows} rows of ${table.name}`)
      }, signal)
    } catch (error) {
      refuseUnwritableFolder(error, dirname(resolve(out)))
    } finally {
      await spill.close()
    }
    print(`Snapshot ${at.id === '' ? '(empty)' : at.id} is in ${out}`)
  })
}

/** Errors: `malformed_request` for parameters of a single list. */
function refuseOtherParameters(query: Readonly<Record<string, string>>, out: string): void {
  const isDatabase = (query.format ?? (out.endsWith('.duckdb') ? DATABASE_FORMAT : '')) === DATABASE_FORMAT
  if (!isDatabase)
    fail(
      'malformed_request',
      `--all writes a database file: add --format ${DATABASE_FORMAT}, or name one list.`,
    )
  const refusedNames = Object.keys(query).filter((name) => !accepted.includes(name))
  if (refusedNames.length > 0)
    fail(
      'malformed_request',
      `${refusedNames.map(flagOf).join(', ')} cannot be combined with --all; use ${accepted.map(flagOf).join(', ')}, --month or --year.`,
    )
}

const flagOf = (parameter: string) => `--${parameter.replaceAll('_', '-')}`

const checkDays = combineChecks(paidDayChecks)

/** Returns days from either pair of flags; a missing end is the end of the calendar. */
function daysOf({ from, to, first_day, last_day }: Readonly<Record<string, string>>): Days | undefined {
  if (from !== undefined && first_day !== undefined)
    fail('malformed_request', '--from cannot be combined with --first-day; use one of them.')
  if (to !== undefined && last_day !== undefined)
    fail('malformed_request', '--to cannot be combined with --last-day; use one of them.')
  const given = { first_day: first_day ?? from, last_day: last_day ?? to }
  if (given.first_day === undefined && given.last_day === undefined) return undefined
  const { values, faults } = checkDays(given)
  const { first_day: first = '2000-01-01', last_day: last = '2099-12-31' } = values
  const named = ({ param, message }: ParamFault) => {
    const flag = {
      first_day: from === undefined ? 'first_day' : 'from',
      last_day: to === undefined ? 'last_day' : 'to',
    }
    const name = flagOf(flag[param as keyof typeof flag])
    return { param, message: message.replace(param, name) }
  }
  refuse(faults.map(named))
  if (first > last)
    fail(
      'malformed_request',
      `The first day is ${first}, after the last day, which is ${last}; use a later last day.`,
    )
  return { first, last }
}

/** Errors: `not_found` for an unknown address: an empty file would claim that it has no rows. */
async function requireOwner(
  { repository }: Services,
  owner: string,
  at: Snapshot,
  signal: AbortSignal,
): Promise<void> {
  const identified = { param: 'owner', values: [owner], holders: holdersOf(hotspots, 'owner') }
  const { owner: absent } = await repository.unknown.read([identified], fullReach, at, signal)
  if ((absent ?? []).length > 0)
    fail('not_found', `Nothing has the owner ${quoted(owner)}; check its spelling. No file was written.`)
}
