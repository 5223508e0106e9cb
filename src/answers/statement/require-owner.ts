import { fail } from '../../base/errors.ts'
import { l1Accounts } from '../../catalog/l1/accounts.ts'
import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'

const pageSize = { page: 1, perPage: 1 }

/** Errors: `not_found` if an owner without hotspots has no L1 account, gateway or reward. */
export async function requireOwner(
  repository: Repository,
  owner: string,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<void> {
  const account = spellWallet('l1', owner)
  const looks: readonly (readonly [Resource, Filters])[] = [
    [l1Accounts, { address: account }],
    [l1Gateways, { owner_address: account }],
    [l1Rewards, { account_address: account }],
  ]
  for (const [resource, filters] of looks)
    if ((await repository.list(resource, filters, pageSize, at, signal)).total > 0) return
  fail(
    'not_found',
    `Owner not found: no hotspot, account, gateway or L1 reward of snapshot ${at.id} has the address ${owner}. ` +
      'Check it; for hotspots that were sold, give their keys with days.',
  )
}
