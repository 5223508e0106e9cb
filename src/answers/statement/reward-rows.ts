import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { bigintOf } from '../../catalog/column.ts'
import { networkOfName, rewardTokens } from '../../catalog/networks.ts'
import { dayInZone, endsOfEpochs, instantsOf } from '../../catalog/query/days.ts'
import { flatColumns, isReward } from '../../catalog/records/flat-columns.ts'
import { LEDGER_TOKEN } from '../../catalog/records/series-record.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resources } from '../../catalog/resources.ts'
import type { Holding } from './holdings.ts'
import { mapRows, type StatementRead } from './statement-read.ts'

export interface RewardRow {
  readonly day: string
  readonly key: string
  readonly name: string | null
  readonly network: string
  readonly type: string
  /** Bones by purpose. */
  readonly amounts: Readonly<Record<string, bigint>>
  readonly earned: bigint
  /** A network, or `main`; `unknown-…` without a manifest. */
  readonly token: string
  /** Decimals of the token; null if unknown. */
  readonly decimals: number | null
  /** USD per whole token, times ten to `decimals`; null if unknown or 0. */
  readonly price: bigint | null
  readonly epoch: bigint | null
  readonly source: string
  /** L1 only: the paid account, and the position in the ledger. */
  readonly account: string | null
  readonly block: bigint | null
  readonly transaction: string | null
  /** True if its day belongs to the holding. */
  readonly isStated: boolean
  /** True if totals over the epochs of the holding include it. */
  readonly isInTotals: boolean
}

export const shareTables: readonly Resource[] = resources.filter(isReward)

/** `iot` or `mobile`. */
export const networkOf = ({ name }: Resource): string => networkOfName(name) ?? name

const nameOf = (token: string | null, network: string) =>
  token === null ? `unknown-${network}` : token.replace(/^[a-z]+_reward_token_/, '')

export const tokenNames: readonly string[] = [
  ...new Set([
    ...[...rewardTokens.keys()].map((token) => nameOf(token, '')),
    ...shareTables.map((resource) => nameOf(null, networkOf(resource))),
  ]),
]

/** Returns true if the file of a token can have rewards of a table: of its network token, main, or an unknown token. */
export function paysIn(resource: Resource, token: string): boolean {
  const network = networkOf(resource)
  return [network, LEDGER_TOKEN, nameOf(null, network)].includes(token)
}

/** Columns that add up to the earnings of a hotspot. */
export function earnedColumns(resource: Resource): readonly string[] {
  const from = flatColumns(resource).find(({ name }) => name === 'earned')?.from
  if (from?.as !== 'sum') throw new Error(`${resource.name} pays no hotspot`)
  return from.of
}

/** Distance from middle to end for epochs twice as long. */
const LONGEST_HALF = 7n * DAY_MICROS

/** Shares of a hotspot that are stated or in totals, in list order. */
export async function* shareRows(
  read: StatementRead,
  resource: Resource,
  holding: Holding,
): AsyncGenerator<readonly RewardRow[]> {
  const { from, to } = instantsOf(holding, read.tz)
  const ends = endsOfEpochs(holding, read.tz)
  const [columns, network, day] = [earnedColumns(resource), networkOf(resource), dayInZone(read.tz)]
  const filters = { from, to: to + LONGEST_HALF, hotspot_key: holding.key }
  const needed = ['start_period', 'end_period', 'reward_type', 'source_file', ...columns]
  const rows = mapRows(read, resource, filters, needed, (cell, { manifestOf }): RewardRow => {
    const end = bigintOf(cell('end_period'))
    const middle = (bigintOf(cell('start_period')) + end) / 2n
    const source = String(cell('source_file'))
    const { tokenDecimals, token, price, epoch } = manifestOf(source)
    const amounts = columns.map((name) => [name, bigintOf(cell(name) ?? 0n)] as const)
    return {
      ...{ day: day(middle), key: holding.key, name: holding.name, network },
      type: String(cell('reward_type')),
      amounts: Object.fromEntries(amounts),
      earned: amounts.reduce((sum, [, amount]) => sum + amount, 0n),
      token: nameOf(token, network),
      ...{ decimals: tokenDecimals, price, epoch, source },
      ...{ account: null, block: null, transaction: null },
      isStated: from <= middle && middle <= to,
      isInTotals: ends.from <= end && end <= ends.to,
    }
  })
  for await (const batch of rows) yield batch.filter(({ isStated, isInTotals }) => isStated || isInTotals)
}
