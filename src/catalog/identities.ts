import { l1Accounts } from './l1/accounts.ts'
import { l1DcBurns } from './l1/dc-burns.ts'
import { l1Gateways } from './l1/gateways.ts'
import { l1Packets } from './l1/packets.ts'
import { l1Rewards } from './l1/rewards.ts'
import { l1TransactionActors } from './l1/transaction-actors.ts'
import { l1Transactions } from './l1/transactions.ts'
import { hotspots } from './l2/hotspots.ts'
import { makers } from './l2/makers.ts'
import type { ColumnOf, Resource } from './resource.ts'
import { rewardShares } from './resources.ts'

/** A column with identifiers of one kind of object: keys, addresses, hashes or names. */
export interface IdentifierColumn {
  readonly resource: Resource
  readonly column: string
  /** True if names match only as typed. */
  readonly isExact?: boolean
}

const holder = <R extends Resource>(resource: R, column: ColumnOf<R>): IdentifierColumn => ({
  resource,
  column,
})

const hotspotHolders = [
  holder(hotspots, 'ecc_key'),
  ...Object.values(rewardShares).map((shares) => holder(shares, 'hotspot_key')),
  holder(l1Gateways, 'address'),
  holder(l1Rewards, 'gateway_address'),
  holder(l1Packets, 'gateway_address'),
  holder(l1TransactionActors, 'actor_address'),
  holder(l1DcBurns, 'actor_address'),
]

const accountHolders = [
  holder(hotspots, 'owner'),
  holder(l1Accounts, 'address'),
  holder(l1Gateways, 'owner_address'),
  holder(l1Gateways, 'payer_address'),
  holder(l1Rewards, 'account_address'),
  holder(l1TransactionActors, 'actor_address'),
  holder(l1DcBurns, 'actor_address'),
]

const makerHolders = [holder(makers, 'id'), holder(hotspots, 'maker_id')]

const transactionHolders = [
  holder(l1Transactions, 'transaction_hash'),
  holder(l1TransactionActors, 'transaction_hash'),
  holder(l1DcBurns, 'transaction_hash'),
  holder(l1Packets, 'transaction_hash'),
  holder(l1Rewards, 'transaction_hash'),
]

const nameHolders = [holder(hotspots, 'name'), holder(l1Gateways, 'name')]

/**
 * Columns of each kind of object; a value in none of them is unknown. Hotspots come first, since most keys are found
 * there.
 */
const kinds: readonly (readonly IdentifierColumn[])[] = [
  hotspotHolders,
  accountHolders,
  makerHolders,
  transactionHolders,
  nameHolders,
  [holder(hotspots, 'asset_id')],
]

/** Columns that may have the values of a column; none for a column without identifiers. */
export function holdersOf(resource: Resource, column: string): readonly IdentifierColumn[] {
  // GraphQL copies resources, so names are compared.
  const isSameColumn = (one: IdentifierColumn) => one.resource.name === resource.name && one.column === column
  const holders = kinds.filter((holders) => holders.some(isSameColumn)).flat()
  const isFirst = (one: IdentifierColumn, place: number) =>
    holders.findIndex((other) => other.resource.name === one.resource.name && other.column === one.column) ===
    place
  return holders.filter(isFirst)
}

/** Returns the filters that identify one object by an exact value or a name. */
export function identifiersOf(resource: Resource): readonly string[] {
  const { filters = {} } = resource
  return Object.keys(filters).filter((param) => {
    const { column = '', match } = filters[param] ?? {}
    return (match === 'equals' || match === 'named') && holdersOf(resource, column).length > 0
  })
}
