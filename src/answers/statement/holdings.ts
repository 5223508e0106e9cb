import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { l1Accounts } from '../../catalog/l1/accounts.ts'
import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import { type Days, daysInBoth } from '../../catalog/query/days.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { spellWallet } from '../../catalog/records/wallet.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { HeldKey } from './lines/key-lines.ts'
import { namesOfKeys, namesOfOwner } from './names.ts'
import type { StatementRead } from './statement-read.ts'

/** A hotspot of a statement, with the days of the statement in which it was held. */
export interface Holding extends Days {
  readonly key: string
  /** Null if no table names it. */
  readonly name: string | null
}

/** The hotspots of owners, or given keys. Keys with owners override the days of these hotspots. */
export interface StatementHolder {
  /** In the spelling of either ledger. */
  readonly owners?: readonly string[]
  readonly keys?: readonly HeldKey[]
}

/** Returns both spellings of each owner, in the order of their L2 addresses. */
export function walletsOf({ owners = [] }: StatementHolder): readonly OwnerWallet[] {
  const requested = new Map(owners.map((text) => [spellWallet('l2', text), text]))
  return [...requested]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([owner, text]) => ({ owner, account: spellWallet('l1', owner), text }))
}

export interface OwnerWallet {
  readonly owner: string
  readonly account: string
  /** As requested. */
  readonly text: string
}

/**
 * Hotspots by key, with the owners of the snapshot.
 * Errors: `not_found` for an unknown owner, and those of `keysOfLines`.
 */
export async function holdingsOf(
  read: StatementRead,
  holder: StatementHolder,
  days: Days,
): Promise<readonly Holding[]> {
  const heldKeys = await keysOfLines(read, holder.keys ?? [])
  const ownedKeys = new Map<string, string | null>()
  for (const wallet of walletsOf(holder)) {
    const names = await namesOfOwner(read, wallet.owner)
    if (names.size === 0 && heldKeys.length === 0) await requireOwner(read, wallet)
    for (const [key, name] of names) ownedKeys.set(key, name)
  }
  const keys = new Set(heldKeys.map(({ key }) => key))
  const names = await namesOfKeys(
    read,
    [...keys].filter((key) => !ownedKeys.has(key)),
  )
  const ofLines = heldKeys.flatMap(({ key, ...line }) => {
    const both = daysInBoth(days, line)
    return both === undefined ? [] : [{ key, name: ownedKeys.get(key) ?? names.get(key) ?? null, ...both }]
  })
  const ofOwner = [...ownedKeys].flatMap(([key, name]) => (keys.has(key) ? [] : [{ key, name, ...days }]))
  return byKey([...ofLines, ...ofOwner])
}

function byKey(holdings: readonly Holding[]): readonly Holding[] {
  const placed = holdings.map((holding) => ({ holding, place: `${holding.key} ${holding.first}` }))
  return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ holding }) => holding)
}

/**
 * Replaces hotspot names by keys; unknown names stay.
 * Errors: `malformed_request` for an ambiguous name, and for overlapping days of a hotspot.
 */
async function keysOfLines(
  { repository, at, reach, signal }: StatementRead,
  heldKeys: readonly HeldKey[],
): Promise<readonly HeldKey[]> {
  const texts = heldKeys.map(({ key }) => key)
  const { keys, ambiguous } = await repository.named(texts, reach, at, signal)
  if (ambiguous.length > 0) fail('malformed_request', `${ambiguous.join('. ')}.`)
  if (keys.size === 0) return heldKeys
  const settled = heldKeys.map((line) => ({ ...line, key: keys.get(line.key) ?? line.key }))
  const before = new Map<string, HeldKey[]>()
  for (const [index, line] of settled.entries()) {
    const earlierLines = before.get(line.key) ?? []
    if (earlierLines.some((earlier) => daysInBoth(earlier, line) !== undefined))
      fail(
        'malformed_request',
        `Two lines have the same days of ${line.key}, one as ${quoted(texts[index] ?? '')}.`,
      )
    before.set(line.key, [...earlierLines, line])
  }
  return settled
}

const onlyCount = { page: 1, perPage: 1 }

/** Errors: `not_found` if an owner without hotspots has no L1 account, gateway or reward. */
async function requireOwner(
  { repository, at, signal }: StatementRead,
  { account, text }: OwnerWallet,
): Promise<void> {
  const looks: readonly (readonly [Resource, Filters])[] = [
    [l1Accounts, { address: account }],
    [l1Gateways, { owner_address: account }],
    [l1Rewards, { account_address: account }],
  ]
  for (const [resource, filters] of looks)
    if ((await repository.list(resource, filters, onlyCount, at).read(signal)).total > 0) return
  fail(
    'not_found',
    `Owner not found: no hotspot, account, gateway or L1 reward of snapshot ${at.id} has the address ${text}. ` +
      'Check it; for hotspots that were sold, give their keys with days.',
  )
}
