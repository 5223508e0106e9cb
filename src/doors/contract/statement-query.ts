import type { ParamFault } from '../../base/errors.ts'
import { parameter, quoted, type RawQuery, refuse, textParameter } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import type { Feature } from '../../catalog/feature.ts'
import { type Days, isDay } from '../../catalog/query/days.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'
import { givesPaidDays, paidDayChecks } from '../../catalog/query/paid-days.ts'
import { timeZone } from '../../catalog/query/series-parameters.ts'
import { LOCALE_MEANING } from '../../catalog/spreadsheet-locale.ts'
import { localeFaults, localeParameter } from './export-parameters.ts'

export const statementPath = '/statement'
/** Features of totals, and that of L1. */
export const statementNeeds: readonly Feature[] = ['HotspotData', 'OracleData', 'Aggregates']

/** A checked request for a statement. */
export interface StatementQuery {
  readonly owner: string | undefined
  readonly days: Days
  readonly tz: string
  readonly asOf: string | undefined
  /** Language of the CSV files. */
  readonly locale: string | undefined
}

/** Formats of the files. Both protect spreadsheets from formulas; a language needs the second. */
export const statementFormats = ['csv', 'spreadsheet'] as const

const day = parameter((text, wrong) =>
  text === undefined || isDay(text) ? text : wrong(`is ${quoted(text)}; write a day as in 2025-07-01`),
)

const schemas = {
  owner: textParameter,
  year: parameter((text, wrong) =>
    text === undefined || /^20\d\d$/.test(text) ? text : wrong(`is ${quoted(text)}; write a year as in 2025`),
  ),
  from: day,
  to: day,
  ...paidDayChecks,
  tz: timeZone,
  format: parameter((text = 'csv', wrong) => {
    const name = statementFormats.find((format) => format === text)
    return name === undefined ? wrong(outsideOf(statementFormats, [text]) ?? '') : { name }
  }),
  locale: localeParameter,
  as_of: textParameter,
}

/** Descriptions of the parameters. */
export const statementParameters = {
  owner:
    'Address of a wallet, as L1 or L2 spells it: rewards of L2 of the hotspots that it owns now, and rewards of L1 that its account was paid.',
  year: 'The year, instead of from and to.',
  from: 'First day, as in 2025-01-01.',
  to: 'Last day, included.',
  first_day: 'The same as from; a month, as in 2025-02, is its first day.',
  last_day: 'The same as to; a month is its last day.',
  tz: 'Time zone of the days, a name of the IANA database; UTC unless given.',
  format: 'Format of the CSV files; both protect spreadsheets from formulas.',
  locale: LOCALE_MEANING,
  as_of: 'Id of a snapshot, or an instant; the newest unless given.',
} as const satisfies Readonly<Record<keyof typeof schemas, string>>

const check = combineChecks(schemas)

/** Checks a request for a statement. Errors: `malformed_request` that names every wrong parameter. */
export function statementQuery(raw: RawQuery, needsOwner: boolean, refusesUnknown = true): StatementQuery {
  const { values, faults } = check(raw)
  const unknown = refusesUnknown ? unknownParameters(Object.keys(raw), Object.keys(schemas)) : []
  const { owner, year, tz = 'UTC', as_of: asOf, format, locale } = values
  const hasDays = givesPaidDays(raw)
  const [first, last] = hasDays ? (['first_day', 'last_day'] as const) : (['from', 'to'] as const)
  const [from, to] = [values[first], values[last]]
  const rangeFaults: ParamFault[] = []
  const wrong = (param: string, message: string) =>
    rangeFaults.push({ param, message: `${param} ${message}` })
  const isFaulty = (...names: string[]) => faults.some(({ param }) => names.includes(param))
  if (needsOwner && owner === undefined && !isFaulty('owner'))
    wrong('owner', 'is missing; name the address of an owner')
  for (const name of ['from', 'to'] as const)
    if (hasDays && values[name] !== undefined)
      wrong(name, 'cannot be combined with first_day or last_day; use one pair of days')
  if (year !== undefined && (from !== undefined || to !== undefined))
    wrong('year', `cannot be combined with ${first} or ${last}; use either`)
  else if (year === undefined && !isFaulty('year', first, last)) {
    if (from === undefined && to === undefined)
      wrong('year', 'is missing; write a year as in 2025, or from and to')
    else if (from === undefined) wrong(first, 'is missing; write the first day as in 2025-07-01')
    else if (to === undefined) wrong(last, 'is missing; write the last day as in 2025-07-01')
    else if (from > to) wrong(last, `is ${to}, before ${first}, which is ${from}; write a later day`)
  }
  if (locale !== undefined && format !== undefined) rangeFaults.push(...localeFaults(format))
  refuse([...unknown, ...faults, ...rangeFaults])
  const days = { first: from ?? `${year}-01-01`, last: to ?? `${year}-12-31` }
  return { owner, days, tz, asOf, locale }
}
