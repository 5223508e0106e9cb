import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { readInstant, writeInstant } from '../../base/values/instant.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'

/** Version or timestamp of a request; the newest version if neither is set. */
export interface RequestedVersion {
  readonly version: unknown
  readonly timestamp: unknown
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** True if the request sets a version or a timestamp. */
export const isVersionPinned = ({ version, timestamp }: RequestedVersion) =>
  isGiven(version) || isGiven(timestamp)

/** Returns the table at the requested version. Errors: `malformed_request`, `gone`, `lake_damaged`. */
export async function resolveVersion(
  newest: TableSnapshot,
  requested: RequestedVersion,
  snapshots: ServedSnapshots,
  signal: AbortSignal,
): Promise<TableSnapshot> {
  if (!isVersionPinned(requested)) return newest
  const { resource } = newest
  if (isGiven(requested.version) && isGiven(requested.timestamp))
    return fail('malformed_request', 'version and timestamp are both given; give one of them.')
  const version = isGiven(requested.version)
    ? readVersion(requested.version, newest)
    : await versionAt(newest, requested.timestamp, snapshots, signal)
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

/** Returns the first version committed at or after an instant. Errors: `malformed_request`, `lake_damaged`. */
export async function versionFrom(
  { resource, version: newest }: TableSnapshot,
  given: unknown,
  snapshots: ServedSnapshots,
  signal: AbortSignal,
): Promise<number> {
  const instant = instantOf('startingTimestamp', given)
  // Commit times are whole milliseconds; this is the last one before the instant.
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
