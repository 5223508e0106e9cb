import { oneText, type RawQuery, refuse } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { iotRewardShares } from '../../catalog/l2/iot-reward-shares.ts'
import type { FilterValue } from '../../catalog/query/filter-readers.ts'
import { checkOf, emptyRangeOf, filterChecks, type NamedFilters } from '../../catalog/query/filter-values.ts'
import { integersAsText, type QueryDialect } from './query-schema.ts'

/** The range that the status of a lake may be asked for; each alone too. */
export const statusRange = {
  from: {
    column: 'end_period',
    match: 'atLeast',
    doc: 'Earliest end of a period; the first of each table unless given.',
  },
  to: {
    column: 'end_period',
    match: 'atMost',
    doc: 'Latest end of a period; the last of any table unless given.',
  },
} as const

/** Ends of periods in microseconds since 1970, and the snapshot. */
export interface StatusQuery {
  readonly from: bigint | undefined
  readonly to: bigint | undefined
  readonly integersAsText: boolean
  readonly asOf: string | undefined
}

/** The check of a query for the status. Errors: `malformed_request` that names every wrong parameter at once. */
export function statusSchema(dialect: QueryDialect): (raw: RawQuery) => StatusQuery {
  const filters: NamedFilters = Object.entries(statusRange)
  const check = checkOf(filterChecks(iotRewardShares, filters, dialect))
  const checkOthers = checkOf({ integers: integersAsText, as_of: oneText })
  const emptyRange = emptyRangeOf(filters, dialect)
  const names = [...Object.keys(statusRange), 'integers', 'as_of']
  return (raw) => {
    const given = check(raw)
    const { values, faults } = checkOthers(raw)
    const unknown = dialect.refusesUnknown ? unknownParameters(Object.keys(raw), names) : []
    refuse([...unknown, ...given.faults, ...faults, ...emptyRange(raw, given.values)])
    return {
      ...{ from: instantOf(given.values.from), to: instantOf(given.values.to) },
      ...{ integersAsText: values.integers ?? false, asOf: values.as_of },
    }
  }
}

const instantOf = (value: FilterValue | undefined) => (typeof value === 'bigint' ? value : undefined)
