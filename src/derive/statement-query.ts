import type { Feature } from '../catalog/feature.ts'
import type { ParamFault } from '../errors.ts'
import { checkOf } from './filter-values.ts'
import { readInstant } from './instant.ts'
import { oneText, parameter, quoted, type RawQuery, refuse } from './parameter-text.ts'
import { timeZone } from './series-parameters.ts'
import { unknownParameters } from './unknown-parameters.ts'

export const statementPath = '/statement'
/** Those of totals, and that of L1. */
export const statementNeeds: readonly Feature[] = ['HotspotData', 'OracleData', 'Aggregates']

/** Days of a time zone, `YYYY-MM-DD`, both included. */
export interface Days {
  readonly first: string
  readonly last: string
}

/** Whether a text is a day of the years 2000 to 2099. */
export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && readInstant(text) !== undefined
}

/** What a statement is asked for. */
export interface StatementQuery {
  readonly owner: string | undefined
  readonly days: Days
  readonly tz: string
  readonly asOf: string | undefined
}

const day = parameter((text, wrong) =>
  text === undefined || isDay(text) ? text : wrong(`is ${quoted(text)}; write a day as in 2025-07-01`),
)

const schemas = {
  owner: oneText,
  year: parameter((text, wrong) =>
    text === undefined || /^20\d\d$/.test(text) ? text : wrong(`is ${quoted(text)}; write a year as in 2025`),
  ),
  from: day,
  to: day,
  tz: timeZone,
  as_of: oneText,
}

/** The parameters of a statement, and what each one says. */
export const statementParameters = {
  owner: 'Address whose hotspots of today it is about.',
  year: 'The year, instead of from and to.',
  from: 'First day, as in 2025-01-01.',
  to: 'Last day, included.',
  tz: 'Time zone of the days, a name of the IANA database; UTC unless given.',
  as_of: 'Id of a snapshot, or an instant; the newest unless given.',
} as const satisfies Readonly<Record<keyof typeof schemas, string>>

const check = checkOf(schemas)

/** The check of a query for a statement. Errors: `malformed_request` that names every wrong parameter at once. */
export function statementQuery(raw: RawQuery, needsOwner: boolean, refusesUnknown = true): StatementQuery {
  const { values, faults } = check(raw)
  const unknown = refusesUnknown ? unknownParameters(Object.keys(raw), Object.keys(schemas)) : []
  const { owner, year, from, to, tz = 'UTC', as_of: asOf } = values
  const own: ParamFault[] = []
  const wrong = (param: string, message: string) => own.push({ param, message: `${param} ${message}` })
  const isFaulty = (...names: string[]) => faults.some(({ param }) => names.includes(param))
  if (needsOwner && owner === undefined && !isFaulty('owner'))
    wrong('owner', 'is missing; name the address of an owner')
  if (year !== undefined && (from !== undefined || to !== undefined))
    wrong('year', 'is given beside from or to; give either')
  else if (year === undefined && !isFaulty('year', 'from', 'to')) {
    if (from === undefined && to === undefined)
      wrong('year', 'is missing; write a year as in 2025, or from and to')
    else if (from === undefined) wrong('from', 'is missing; write the first day as in 2025-07-01')
    else if (to === undefined) wrong('to', 'is missing; write the last day as in 2025-07-01')
    else if (from > to) wrong('to', `is ${to}, before from, which is ${from}; write a later day`)
  }
  refuse([...unknown, ...faults, ...own])
  const days = { first: from ?? `${year}-01-01`, last: to ?? `${year}-12-31` }
  return { owner, days, tz, asOf }
}
