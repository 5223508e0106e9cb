import type { DayCoverage } from '../values/day-states.ts'
import { dayPaid } from '../values/days.ts'
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
