import { keyId } from '../../src/base/values/key-id.ts'
import { l1Accounts } from '../../src/catalog/l1/accounts.ts'
import { l1Gateways } from '../../src/catalog/l1/gateways.ts'
import { l1Transactions } from '../../src/catalog/l1/transactions.ts'
import { hotspots } from '../../src/catalog/l2/hotspots.ts'
import type { Resource } from '../../src/catalog/resource.ts'

/** Kinds of lookups of one record. */
export interface LookupKind {
  readonly name: string
  readonly resource: Resource
  /** The column of the table that is drawn from. */
  readonly column: string
  /** What is asked for instead of its value: the id that follows from it. */
  readonly idOf?: (key: string) => string
}

export const lookups: readonly LookupKind[] = [
  { name: 'gateway by address', resource: l1Gateways, column: 'address' },
  { name: 'account by address', resource: l1Accounts, column: 'address' },
  { name: 'transaction by hash', resource: l1Transactions, column: 'transaction_hash' },
  { name: 'transaction by id', resource: l1Transactions, column: 'transaction_hash', idOf: keyId },
  { name: 'hotspot by id', resource: hotspots, column: 'id' },
  { name: 'hotspot by asset_id', resource: hotspots, column: 'asset_id' },
  { name: 'hotspot by ecc_key', resource: hotspots, column: 'ecc_key' },
]

/** What is asked, by a key of the table. */
export function pathOfKey({ resource, idOf = (key) => key }: LookupKind, key: string): string {
  return `/v1/net${resource.rest?.path}/${idOf(key)}`
}
