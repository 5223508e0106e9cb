import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { readInstant, writeInstant } from '../../base/values/instant.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

/** Which version of a table is asked for; neither is the newest. */
export interface Asked {
  readonly version: unknown
  readonly timestamp: unknown
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** Whether a version is named, in either way. */
export const isPinned = ({ version, timestamp }: Asked) => isGiven(version) || isGiven(timestamp)

/** The table at the version that is asked for. Errors: `malformed_request`, `gone`, `lake_damaged`. */
export async function askedVersion(
  newest: TableSnapshot,
  asked: Asked,
  snapshots: ServedSnapshots,
  signal: AbortSignal,
): Promise<TableSnapshot> {
  if (!isPinned(asked)) return newest
  const { resource } = newest
  if (isGiven(asked.version) && isGiven(asked.timestamp))
    return fail('malformed_request', 'version and timestamp are both given; give one of them.')
  const version = isGiven(asked.version)
    ? readVersion(asked.version, newest)
    : await versionAt(newest, asked.timestamp, snapshots, signal)
  const at = await snapshots.ofTable(resource, version, signal)
  return at?.table(resource) ?? refuseVersion(version, newest)
}

function readVersion(given: unknown, newest: TableSnapshot): number {
  const text = String(given)
  return /^\d{1,15}$/.test(text) ? Number(text) : refuseVersion(text, newest)
}

function refuseVersion(given: unknown, { resource, version }: TableSnapshot): never {
  const range = version === 0 ? 'version 0' : `versions 0 to ${version}`
  return fail('malformed_request', `version is ${quoted(String(given))}; ${resource.name} has ${range}.`)
}

async function versionAt(
  { resource }: TableSnapshot,
  given: unknown,
  snapshots: ServedSnapshots,
  signal: AbortSignal,
): Promise<number> {
  const instant = instantOf('timestamp', given)
  if (instant > BigInt(Date.now()) * 1000n)
    return fail('malformed_request', `timestamp is ${quoted(String(given))}; use an instant that has passed.`)
  const version = await snapshots.versionAt(resource, Number(instant / 1000n), signal)
  return version >= 0 ? version : refuseBefore(resource, given, snapshots, signal)
}

async function refuseBefore(
  resource: Resource,
  given: unknown,
  snapshots: ServedSnapshots,
  signal: AbortSignal,
): Promise<never> {
  const first = (await snapshots.ofTable(resource, 0, signal))?.table(resource)
  const from = first === undefined ? '' : `, ${writeInstant(BigInt(first.committedAt) * 1000n)}`
  return fail(
    'malformed_request',
    `timestamp is ${quoted(String(given))}; use an instant from the first commit of ${resource.name} on${from}.`,
  )
}

/** The earliest version that was committed at an instant or later. Errors: `malformed_request`, `lake_damaged`. */
export async function versionFrom(
  { resource, version: newest }: TableSnapshot,
  given: unknown,
  snapshots: ServedSnapshots,
  signal: AbortSignal,
): Promise<number> {
  const instant = instantOf('startingTimestamp', given)
  // A commit has a time in whole milliseconds: the last one that is earlier than the instant.
  const before = Number((instant + 999n) / 1000n) - 1
  const version = (await snapshots.versionAt(resource, before, signal)) + 1
  if (version <= newest) return version
  return fail(
    'malformed_request',
    `startingTimestamp is ${quoted(String(given))}, and no version of ${resource.name} was committed since.`,
  )
}

function instantOf(name: string, given: unknown): bigint {
  const instant = typeof given === 'string' ? readInstant(given) : undefined
  if (instant !== undefined && instant >= 0n) return instant
  return fail(
    'malformed_request',
    `${name} is ${quoted(String(given))}; use an instant such as 2026-07-01T00:00:00Z.`,
  )
}
