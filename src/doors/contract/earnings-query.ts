import type { EarningsFormat } from '../../answers/earnings/earnings-format.ts'
import { earningsFormat, earningsFormats } from '../../answers/earnings/earnings-formats.ts'
import type { ParamFault } from '../../base/errors.ts'
import { parameter, type RawQuery, refuse, textParameter } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import type { Feature } from '../../catalog/feature.ts'
import type { Days } from '../../catalog/query/days.ts'
import { outsideOf } from '../../catalog/query/filter-readers.ts'
import { combineChecks } from '../../catalog/query/filter-values.ts'
import { paidDayChecks, paidDayParameters } from '../../catalog/query/paid-days.ts'
import { hotspotKeys, MOST_HOTSPOTS, timeZone } from '../../catalog/query/series-parameters.ts'
import { LOCALE_MEANING } from '../../catalog/spreadsheet-locale.ts'
import { localeFaults, localeParameter } from './export-parameters.ts'

export const earningsPath = '/earnings'
/** Features of the totals of reward shares. */
export const earningsNeeds: readonly Feature[] = ['OracleData', 'Aggregates']

/** A checked request for earnings. */
export interface EarningsQuery {
  readonly owner: string | undefined
  /** Keys and names of hotspots. */
  readonly texts: readonly string[] | undefined
  readonly days: Days
  readonly tz: string
  readonly asOf: string | undefined
  readonly format: EarningsFormat
  readonly locale: string | undefined
}

const format = parameter((text = 'csv', wrong): EarningsFormat => {
  const names = earningsFormats.map(({ name }) => name)
  return earningsFormat(text) ?? wrong(outsideOf(names, [text]) ?? '')
})

const schemas = {
  owner: textParameter,
  hotspot_key: hotspotKeys,
  ...paidDayChecks,
  tz: timeZone,
  format,
  locale: localeParameter,
  as_of: textParameter,
}

/** Descriptions of the parameters. */
export const earningsParameters = {
  owner: 'Address of a wallet, as L1 or L2 spells it: the hotspots that it owns now.',
  hotspot_key: `Keys or names of hotspots, separated by commas, up to ${MOST_HOTSPOTS}; instead of an owner.`,
  ...paidDayParameters,
  tz: 'Time zone of the days, a name of the IANA database; UTC unless given.',
  format: 'Format of the file.',
  locale: LOCALE_MEANING,
  as_of: 'Id of a snapshot, or an instant; the newest unless given.',
} as const satisfies Readonly<Record<keyof typeof schemas, string>>

const check = combineChecks(schemas)

/**
 * Checks a request for earnings; `keysOf` may add hotspots that are not in the query string.
 * Errors: `malformed_request` that names every wrong parameter, and those of `keysOf`.
 */
export function earningsQuery(
  raw: RawQuery,
  refusesUnknown = true,
  keysOf: (inAddress: readonly string[] | undefined) => readonly string[] | undefined = () => undefined,
): EarningsQuery {
  const { values, faults } = check(raw)
  const unknown = refusesUnknown ? unknownParameters(Object.keys(raw), Object.keys(schemas)) : []
  const { owner, hotspot_key: inAddress, first_day: first = '', last_day: last = '', as_of: asOf } = values
  const { tz = 'UTC', format: chosen, locale } = values
  const texts = keysOf(inAddress) ?? inAddress
  const more: ParamFault[] = []
  const wrong = (param: string, message: string) => {
    if (!faults.some((fault) => fault.param === param)) more.push({ param, message: `${param} ${message}` })
  }
  if (owner === undefined && texts === undefined)
    wrong('hotspot_key', 'is missing; give keys or names of hotspots, or the address of an owner')
  if (owner !== undefined && texts !== undefined)
    wrong('owner', 'cannot be combined with hotspot_key; use either')
  if (first === '') wrong('first_day', 'is missing; use a day as in 2025-02-01, or a month as in 2025-02')
  if (last === '') wrong('last_day', 'is missing; use a day as in 2025-02-01, or a month as in 2025-02')
  if (first > last && last !== '')
    wrong('last_day', `is ${last}, before first_day, which is ${first}; use a later day`)
  if (locale !== undefined && chosen !== undefined) more.push(...localeFaults(chosen))
  refuse([...unknown, ...faults, ...more])
  if (chosen === undefined) throw new Error('the faulty format was not refused')
  return { owner, texts, days: { first, last }, tz, asOf, format: chosen, locale }
}
