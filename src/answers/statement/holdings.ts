import type { Days } from '../../catalog/query/days.ts'
import { daysInBoth } from '../../catalog/query/days.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import type { HeldKey } from './key-lines.ts'
import { keysOfLines } from './keys-of-lines.ts'
import { namesOfKeys, namesOfOwner } from './names.ts'
import { requireOwner } from './require-owner.ts'

/** A hotspot of a statement, with the days of the statement in which it was held. */
export interface Holding extends Days {
  readonly key: string
  /** Null if no table names it. */
  readonly name: string | null
}

/** The hotspots of an owner, or given keys. Keys with an owner override the days of these hotspots. */
export interface StatementHolder {
  /** In the spelling of either ledger. */
  readonly owner?: string
  readonly keys?: readonly HeldKey[]
}

/**
 * Hotspots by key, with the owners of the snapshot.
 * Errors: `not_found` for an unknown owner, and those of `keysOfLines`.
 */
export async function holdingsOf(
  repository: Repository,
  { owner, keys: lines = [] }: StatementHolder,
  days: Days,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly Holding[]> {
  const heldKeys = await keysOfLines(repository, lines, at, signal)
  const ownedKeys = owner === undefined ? undefined : await namesOfOwner(repository, owner, at, signal)
  if (owner !== undefined && ownedKeys?.size === 0 && heldKeys.length === 0)
    await requireOwner(repository, owner, at, signal)
  const keys = new Set(heldKeys.map(({ key }) => key))
  const names = await namesOfKeys(
    repository,
    [...keys].filter((key) => !ownedKeys?.has(key)),
    at,
    signal,
  )
  const ofLines = heldKeys.flatMap(({ key, ...line }) => {
    const both = daysInBoth(days, line)
    return both === undefined ? [] : [{ key, name: ownedKeys?.get(key) ?? names.get(key) ?? null, ...both }]
  })
  const ofOwner = [...(ownedKeys ?? [])].flatMap(([key, name]) =>
    keys.has(key) ? [] : [{ key, name, ...days }],
  )
  return byKey([...ofLines, ...ofOwner])
}

function byKey(holdings: readonly Holding[]): readonly Holding[] {
  const placed = holdings.map((holding) => ({ holding, place: `${holding.key} ${holding.first}` }))
  return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ holding }) => holding)
}
