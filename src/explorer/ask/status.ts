import type { DayCoverage } from '../values/day-states.ts'
import { addDays, dayPaid } from '../values/days.ts'
import type { Network } from '../values/networks.ts'
import type { KnownDays } from '../values/spans.ts'
import type { Api, Reply } from './api.ts'

/** A table in the response of `/status`. */
interface TableStatus {
  readonly table: string
  readonly rows: string
  readonly first_period: string | null
  readonly last_period: string | null
  readonly coverage: DayCoverage | null
}

export interface Status {
  readonly snapshot: string
  readonly tables: readonly TableStatus[]
}

export function askStatus(api: Api): Promise<Reply<Status>> {
  return api.ask<Status>('/status')
}

/** Returns the first and last paid day of all rewards; undefined without rewards. */
export function knownDays({ tables }: Status): KnownDays | undefined {
  const shares = tables.filter(({ table }) => table.endsWith('_reward_shares'))
  const days = shares.flatMap((one) =>
    [one.first_period, one.last_period].flatMap((end) => (end === null ? [] : [dayPaid(end)])),
  )
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** Returns the coverage of the rewards of a network. All days before its first one and after its last one are missing. */
export function coverageOf({ tables }: Status, network: Network): DayCoverage {
  const shares = tables.find(({ table }) => table === `${network}_reward_shares`)
  const { coverage = null, first_period: first = null, last_period: last = null } = shares ?? {}
  const outside =
    first === null || last === null
      ? [{ first: EARLIEST, last: LATEST }]
      : [
          { first: EARLIEST, last: addDays(dayPaid(first), -1) },
          { first: addDays(dayPaid(last), 1), last: LATEST },
        ]
  return {
    epochs: {
      newest: coverage?.epochs.newest ?? null,
      missing: [...outside, ...(coverage?.epochs.missing ?? [])],
      incomplete: coverage?.epochs.incomplete ?? [],
    },
    manifests: coverage?.manifests ?? null,
  }
}

const [EARLIEST, LATEST] = ['0000-01-01', '9999-12-31']
