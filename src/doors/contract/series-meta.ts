import { writeInstant } from '../../base/values/instant.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { hasOwners, type SeriesRequest } from '../../catalog/query/series-parameters.ts'
import { medianRecord, type SeriesMedian } from '../../catalog/records/series-record.ts'
import type { Spelling } from '../../catalog/records/spelling.ts'
import type { Resource } from '../../catalog/resource.ts'

const LEDGER_DAYS_RULE =
  'A reward belongs to the day, in the time zone tz, in which its block was made. Weeks begin on Monday.'

const LEDGER_USD_RULE = 'usd is null: rewards of the L1 ledger name no price.'

/** Rule of the days of rows. */
export function daysRule({ keyed }: Resource): string {
  return keyed === undefined ? LEDGER_DAYS_RULE : DAYS_RULE
}

/** Rule of the price of rows. */
export function usdRule({ keyed }: Resource): string {
  return keyed === undefined ? LEDGER_USD_RULE : USD_RULE
}

const DAYS_RULE =
  'A row belongs to the day, in the time zone tz, in which the middle of its epoch lies. Weeks begin on Monday.'

export const OWNERS_RULE =
  'Owners and makers are read from the hotspots table of this snapshot; the owner at the time of the pay is unknown.'

const USD_RULE =
  'usd is earned at the oracle price of the manifest of each epoch; null where the price of a part is unknown.'

export function earnedRule({ earned = [], keyed }: Resource): string {
  if (keyed === undefined) return `earned is ${earned.join(' + ')}, in bones of the main token.`
  return `earned is all that hotspots were paid: ${earned.join(' + ')}.`
}

interface SeriesFacts {
  readonly hotspots: number | undefined
  readonly medians?: readonly SeriesMedian[] | undefined
  /** Unknown values, by parameter. */
  readonly unknown?: JsonObject
  /** Keys of hotspots, by the names in the request. */
  readonly names?: JsonObject
}

/** Builds the meta of a series; `from` is the start after the look-back of the key. */
export function seriesMeta(
  resource: Resource,
  request: SeriesRequest,
  from: bigint | undefined,
  { hotspots, medians, unknown = {}, names = {} }: SeriesFacts,
  spelling: Spelling,
): JsonObject {
  const { interval, tz, groupBy, limit } = request
  return {
    interval,
    tz,
    group_by: groupBy,
    limit: groupBy === null ? null : limit,
    from_served: from === undefined ? null : writeInstant(from),
    hotspots: hotspots ?? null,
    medians: medians?.map((one) => medianRecord(one, spelling)) ?? null,
    names: orNull(names),
    unknown: orNull(unknown),
    days: daysRule(resource),
    earned: earnedRule(resource),
    owners: hasOwners(request) && resource.keyed !== undefined ? OWNERS_RULE : null,
    usd: usdRule(resource),
  }
}

function orNull(members: JsonObject): JsonObject | null {
  return Object.keys(members).length === 0 ? null : members
}
