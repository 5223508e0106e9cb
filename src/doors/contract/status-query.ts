import { type RawQuery, refuse, textParameter } from '../../base/parameter-text.ts'
import { unknownParameters } from '../../base/unknown-parameters.ts'
import { iotRewardShares } from '../../catalog/l2/iot-reward-shares.ts'
import type { FilterValue } from '../../catalog/query/filter-readers.ts'
import {
  combineChecks,
  emptyRangeOf,
  filterChecks,
  type NamedFilters,
} from '../../catalog/query/filter-values.ts'
import { integersAsText, type QueryDialect } from './query-schema.ts'

/** Range filters of the status; either end may be absent. */
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

/** A checked status request; ends of periods in microseconds since 1970. */
export interface StatusQuery {
  readonly from: bigint | undefined
  readonly to: bigint | undefined
  readonly integersAsText: boolean
  readonly asOf: string | undefined
}

/** Creates the check of a status request. Errors: `malformed_request` that names every wrong parameter. */
export function statusSchema(dialect: QueryDialect): (raw: RawQuery) => StatusQuery {
  const filters: NamedFilters = Object.entries(statusRange)
  const check = combineChecks(filterChecks(iotRewardShares, filters, dialect))
  const checkRemaining = combineChecks({ integers: integersAsText, as_of: textParameter })
  const emptyRange = emptyRangeOf(filters, dialect)
  const names = [...Object.keys(statusRange), 'integers', 'as_of']
  return (raw) => {
    const range = check(raw)
    const { values, faults } = checkRemaining(raw)
    const unknown = dialect.refusesUnknown ? unknownParameters(Object.keys(raw), names) : []
    refuse([...unknown, ...range.faults, ...faults, ...emptyRange(raw, range.values)])
    return {
      ...{ from: instantOf(range.values.from), to: instantOf(range.values.to) },
      ...{ integersAsText: values.integers ?? false, asOf: values.as_of },
    }
  }
}

const instantOf = (value: FilterValue | undefined) => (typeof value === 'bigint' ? value : undefined)
