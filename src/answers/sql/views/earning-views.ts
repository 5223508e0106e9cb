import { l1Gateways } from '../../../catalog/l1/gateways.ts'
import { l1Rewards } from '../../../catalog/l1/rewards.ts'
import { mainToken, networkIds, networkOfName, rewardTokens } from '../../../catalog/networks.ts'
import { isReward } from '../../../catalog/records/flat-columns.ts'
import { resources } from '../../../catalog/resources.ts'
import { cast, unitOf, type ViewDialect, type ViewText } from '../dialects/view-dialect.ts'
import { paidDay, rewardViewName, type ViewsOf } from './reward-view.ts'

/** A column of a view: name, comment and value. */
type Item = readonly [name: string, doc: string, value: string]

const symbols = [...new Set([...rewardTokens.values()].map(({ symbol }) => symbol))].join(', ')

const docs = {
  day: paidDay.doc,
  network: `Network that paid: ${networkIds.join(' or ')}.`,
  reward_type: 'Type of the reward.',
  token: `Symbol of the token: ${symbols}; null until the manifest of the file is ingested.`,
  amount:
    'Pay in bones, the smallest unit of the token: 10^-8 of the main token, 10^-6 of others. Never add amounts of different tokens.',
  formatted: 'Pay in whole tokens; null while the token is unknown.',
  price: 'Oracle price, in USD per whole token; null without one.',
  usd: 'Pay in USD at the oracle price; null without one.',
} as const

/** A row for each pay of a hotspot, over the networks. */
export function earningsView({ dialect, table }: ViewsOf): ViewText {
  const selects = resources.filter(isReward).map((resource) => {
    const items: readonly Item[] = [
      ['day', docs.day, 'r.day'],
      ['network', docs.network, dialect.literal(networkOfName(resource.name) ?? '')],
      ['token', docs.token, symbolOf('r.token', dialect)],
      ['hotspot', 'Key of the hotspot.', `r.${dialect.identifier(resource.keyed ?? '')}`],
      ['name', 'Name of the hotspot now.', 'r.hotspot_name'],
      ['owner', 'Address of the owner now; it may have had another owner then.', 'r.owner'],
      ['maker', 'Name of its maker; null when the makers table lacks it.', 'r.maker_name'],
      ['reward_type', docs.reward_type, 'r.reward_type'],
      ['amount', docs.amount, 'r.earned'],
      ['formatted', docs.formatted, 'r.formatted_earned'],
      ['price', docs.price, 'r.price_usd'],
      ['usd', docs.usd, 'r.usd'],
      ['end_period', 'End of the paid period, UTC.', 'r.end_period'],
      ['month', 'Month of end_period, YYYY-MM.', `r.${dialect.identifier('month')}`],
    ]
    const from = `FROM ${table({ name: rewardViewName(resource) })} r WHERE r.earned IS NOT NULL`
    return { items, select: `SELECT ${selected(items, dialect)} ${from}` }
  })
  return {
    name: 'earnings',
    doc: 'Pay of hotspots, a row for each reward of each network, with names, price and USD.',
    columns: described(selects[0]?.items ?? []),
    select: selects.map(({ select }) => select).join(' UNION ALL '),
  }
}

/** Columns by which `daily_earnings` groups. */
const groups = ['day', 'network', 'token', 'reward_type', 'price'] as const

/** Sums of `earnings` by day over whole networks. `from` has the rows of `earnings`, or sums of them with their `shares`. */
export function dailyEarningsView({ dialect, table }: ViewsOf, from?: string): ViewText {
  const { types, identifier } = dialect
  const sumOf = (column: string, type: string) => cast(`sum(e.${column})`, type)
  const shares = from === undefined ? 'count(*)' : 'sum(e.shares)'
  const items: readonly Item[] = [
    ...groups.map((name): Item => [name, docs[name], `e.${identifier(name)}`]),
    ['shares', 'Number of rewards.', cast(shares, types.long)],
    ['amount', docs.amount, sumOf('amount', types.count)],
    ['formatted', docs.formatted, sumOf('formatted', types.tokens)],
    ['usd', docs.usd, sumOf('usd', types.usd)],
  ]
  const by = groups.map((name) => `e.${identifier(name)}`).join(', ')
  return {
    name: 'daily_earnings',
    doc: 'Pay of hotspots by day, network, token, reward type and price: the sums of earnings.',
    columns: described(items),
    select: `SELECT ${selected(items, dialect)} FROM ${from ?? table({ name: 'earnings' })} e GROUP BY ${by}`,
  }
}

/** Rewards of the L1 ledger with the name and the last owner of the hotspot. */
export function ledgerRewardsView({ dialect, table, paid }: ViewsOf): ViewText {
  const { types, identifier } = dialect
  const unit = cast(dialect.literal(unitOf(mainToken.decimals)), types.unit)
  const items: readonly Item[] = [
    ['day', 'Day (UTC) of the block.', `r.${identifier(paidDay.name)}`],
    ['token', 'Symbol of the token.', dialect.literal(mainToken.symbol)],
    [
      'hotspot',
      'Address of the hotspot or validator that earned it; null for none.',
      "nullif(r.gateway_address, '1Wh4bh')",
    ],
    ['name', 'Name of the hotspot at the end of the ledger.', 'g.name'],
    ['owner', 'Account that owned the hotspot at the end of the ledger.', 'g.owner_address'],
    ['account', 'Account that was paid.', 'r.account_address'],
    ['reward_type', 'Type of the reward, such as poc_witness.', `r.${identifier('type')}`],
    ['amount', `Pay in bones, 10^-8 ${mainToken.symbol}.`, 'r.amount'],
    [
      'formatted',
      `Pay in whole ${mainToken.symbol}.`,
      cast(`${cast('r.amount', types.amount)} * ${unit}`, types.tokens),
    ],
    ['paid_at', 'Time of the block, UTC.', cast(dialect.instantOf(`r.${identifier('time')}`), types.instant)],
    ['block', 'Height of the block.', 'r.block'],
    ['month', 'Month of paid_at, YYYY-MM.', `r.${identifier('month')}`],
  ]
  return {
    name: 'ledger_rewards',
    doc: 'Rewards that the L1 ledger paid, with the name and the last owner of the hotspot.',
    columns: described(items),
    select: `SELECT ${selected(items, dialect)} FROM ${paid(l1Rewards)} r LEFT JOIN ${table(l1Gateways)} g ON g.address = r.gateway_address`,
  }
}

/** Symbol of a token by its name in manifests; null for none. */
export function symbolOf(token: string, { literal }: ViewDialect): string {
  const cases = [...rewardTokens].map(
    ([name, { symbol }]) => `WHEN ${literal(name ?? '')} THEN ${literal(symbol)}`,
  )
  return `CASE ${token} ${cases.join(' ')} END`
}

const selected = (items: readonly Item[], { identifier }: ViewDialect) =>
  items.map(([name, , value]) => `${value} AS ${identifier(name)}`).join(', ')

const described = (items: readonly Item[]): ViewText['columns'] => items.map(([name, doc]) => ({ name, doc }))
