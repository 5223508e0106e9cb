import { getOrMake } from '../../base/maps.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { bigintOf } from '../../catalog/column.ts'
import { type Days, dayInZone } from '../../catalog/query/days.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { RowFacts } from '../records/manifests.ts'
import type { ListBatch } from '../rows/group-rows.ts'
import type { Holding } from './holdings.ts'
import { type RewardFacts, type RewardRow, toFacts } from './reward-facts.ts'
import { earnedColumns, networkOf, tokenName } from './share-tables.ts'
import { columnsOf, daysText, type StatementRead } from './statement-read.ts'

/** Distance from middle to end for epochs twice as long. */
const LONGEST_HALF = 7n * DAY_MICROS

/** Columns of the facts of a share. */
const factColumns = ['source_file', 'reward_type', 'start_period', 'end_period'] as const

/**
 * Yields the shares of each holding that are stated or in totals, in list order. With `only` it yields those of one
 * token. Holdings of the same hotspot must be adjacent, within `days`.
 */
export async function* sharesOf(
  read: StatementRead,
  resource: Resource,
  holdings: readonly Holding[],
  days: Days,
  only?: string,
): AsyncGenerator<readonly RewardRow[], undefined> {
  const { repository, at, signal } = read
  const { from, to } = read.instantsOf(days)
  const amountColumns = earnedColumns(resource)
  const keys = [...new Set(holdings.map(({ key }) => key))]
  const { lists, manifestOf } = await repository.wholes(
    resource,
    { from, to: to + LONGEST_HALF },
    { of: resource.keyed ?? '', keys },
    [...factColumns, ...amountColumns],
    at,
    signal,
  )
  const factsByDays = new Map<string, FactsOf>()
  let list = { key: '', batches: [] as readonly ListBatch[] }
  for (const holding of holdings) {
    if (holding.key !== list.key) list = (await lists.next()).value ?? list
    const factsOf = getOrMake(factsByDays, daysText(holding), () =>
      openFacts(read, resource, holding, manifestOf),
    )
    const isWanted = ({ token, isStated, isInTotals }: RewardFacts) =>
      (isStated || isInTotals) && (only === undefined || token === only)
    yield list.batches.flatMap((batch) => rowsOf(batch, amountColumns, holding, factsOf, isWanted))
  }
}

function rowsOf(
  batch: ListBatch,
  amountColumns: readonly string[],
  { key, name }: Holding,
  factsOf: FactsOf,
  isWanted: (facts: RewardFacts) => boolean,
): readonly RewardRow[] {
  const [sources, types, starts, ends] = columnsOf(batch, factColumns)
  const amountsOf = columnsOf(batch, amountColumns)
  const rows: RewardRow[] = []
  for (let row = 0; row < batch.rows; row += 1) {
    const [start, end] = [bigintOf(starts?.at(row)), bigintOf(ends?.at(row))]
    const facts = factsOf(String(sources?.at(row)), String(types?.at(row)), start, end)
    if (!isWanted(facts)) continue
    const amounts = amountsOf.map((values) => bigintOf(values.at(row) ?? 0n))
    rows.push({ facts, key, name, amounts, earned: amounts.reduce((sum, amount) => sum + amount, 0n) })
  }
  return rows
}

type FactsOf = (source: string, type: string, start: bigint, end: bigint) => RewardFacts

interface KnownFacts {
  readonly type: string
  readonly start: bigint
  readonly end: bigint
  readonly facts: RewardFacts
}

/** Computes the facts of shares once for each source, type and epoch. */
function openFacts(
  { tz, instantsOf, endsOf }: StatementRead,
  resource: Resource,
  days: Days,
  manifestOf: RowFacts['manifestOf'],
): FactsOf {
  const { from, to } = instantsOf(days)
  const ends = endsOf(days)
  const [network, day] = [networkOf(resource), dayInZone(tz)]
  const bySource = new Map<string, KnownFacts[]>()

  function compute(source: string, type: string, start: bigint, end: bigint): RewardFacts {
    const middle = (start + end) / 2n
    const { tokenDecimals: decimals, token, price, epoch } = manifestOf(source)
    return toFacts({
      ...{ day: day(middle), network, type, source },
      ...{ token: tokenName(token, network), decimals, price, epoch },
      ...{ account: null, block: null, transaction: null },
      isStated: from <= middle && middle <= to,
      isInTotals: ends.from <= end && end <= ends.to,
    })
  }

  return (source, type, start, end) => {
    const ofSource = getOrMake(bySource, source, (): KnownFacts[] => [])
    const earlier = ofSource.find((one) => one.type === type && one.start === start && one.end === end)
    if (earlier !== undefined) return earlier.facts
    const facts = compute(source, type, start, end)
    ofSource.push({ type, start, end, facts })
    return facts
  }
}
