import { DAY_MICROS, dayOf, endOfEpoch } from '../../base/values/epoch-day.ts'
import type { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { type Resource, type RowOf, unreadableReason } from '../../catalog/resource.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** What a manifest says of files and of their epoch. */
export type ManifestOfFiles = Pick<
  RowOf<typeof rewardManifests>,
  'written_files' | 'start_timestamp' | 'end_timestamp' | 'reward_type' | 'token'
>

/** A longer epoch is a mistake in its manifest, and reaches over no day but its own. */
const LONGEST = 62n * DAY_MICROS

/** What is known of one epoch of a table, from its log and from manifests. */
export interface Epoch {
  readonly epoch: number
  /** First and last day that its periods reach over; only those longer than a day reach over others than its own. */
  firstDay: number
  lastDay: number
  /** First and last end of its periods; where it has none, what would be the end. */
  first: bigint
  last: bigint
  /** Whether there are rows, or a file without any. */
  isPresent: boolean
  /** Whether one of its files arrived when a later epoch was in already. */
  isLate: boolean
  /** Files that a manifest names and that are not in. */
  readonly absent: Set<string>
  /** Files that a manifest names and that this program does not read. */
  readonly unreadable: Set<string>
  /** Files that are in and that no manifest names. */
  readonly unnamed: Set<string>
  readonly tokens: Set<string>
}

/** The epochs of which a table or the manifests of its network know, in order. Opens nothing. */
export function gatherEpochs(table: TableSnapshot, manifests: readonly ManifestOfFiles[]): readonly Epoch[] {
  const epochs = new Map<number, Epoch>()
  const named = new Map<string, ManifestOfFiles>()
  for (const manifest of manifests) for (const file of manifest.written_files) named.set(file, manifest)
  const sources = table.files.flatMap((file) => file.sources)
  for (const { name, groups, late = false } of sources) {
    const manifest = named.get(name)
    for (const { period } of groups) {
      const epoch = epochAt(epochs, period, manifest?.end_timestamp === period ? manifest : undefined)
      if (!epoch.isPresent || period < epoch.first) epoch.first = period
      if (!epoch.isPresent || period > epoch.last) epoch.last = period
      epoch.isPresent = true
      epoch.isLate ||= late
      if (manifest === undefined) epoch.unnamed.add(name)
      else if (manifest.token !== null) epoch.tokens.add(manifest.token)
    }
  }
  const arrived = new Map(sources.map(({ name, groups }) => [name, groups]))
  const network = networkOf(table.resource)
  for (const manifest of manifests) {
    const { reward_type, end_timestamp, written_files } = manifest
    if (reward_type !== network) continue
    for (const file of written_files) {
      const groups = arrived.get(file)
      if (groups === undefined) {
        const { absent, unreadable } = epochAt(epochs, end_timestamp, manifest)
        const prefix = file.slice(0, file.indexOf('.'))
        ;(unreadableReason(table.resource, prefix) === undefined ? absent : unreadable).add(file)
      }
      // Nothing was paid: that is known, so the epoch is not missing.
      else if (groups.length === 0) epochAt(epochs, end_timestamp, manifest).isPresent = true
    }
  }
  return [...epochs.values()].sort((a, b) => a.epoch - b.epoch)
}

/** `iot` for the table whose files are of the kind `iot_reward_share`. */
function networkOf({ arrival }: Resource): string | undefined {
  return arrival?.as === 'messages' ? arrival.kind.split('_')[0] : undefined
}

/** The epoch of a period, whose start its manifest has. Without one the period is taken to be a day long. */
function epochAt(epochs: Map<number, Epoch>, end: bigint, manifest?: ManifestOfFiles): Epoch {
  const start =
    manifest !== undefined && manifest.start_timestamp < end ? manifest.start_timestamp : end - DAY_MICROS
  const epoch = dayOf((start + end) / 2n)
  const isLong = end - start > DAY_MICROS && end - start <= LONGEST
  // A day is reached over if half of it is.
  const [firstDay, lastDay] = isLong
    ? [dayOf(start + DAY_MICROS / 2n), dayOf(end - DAY_MICROS / 2n)]
    : [epoch, epoch]
  const existing = epochs.get(epoch)
  if (existing !== undefined) {
    existing.firstDay = Math.min(existing.firstDay, firstDay)
    existing.lastDay = Math.max(existing.lastDay, lastDay)
    return existing
  }
  const nominal = endOfEpoch(epoch)
  const created = {
    ...{ epoch, firstDay, lastDay, first: nominal, last: nominal, isPresent: false, isLate: false },
    ...{ absent: new Set<string>(), unreadable: new Set<string>() },
    ...{ unnamed: new Set<string>(), tokens: new Set<string>() },
  }
  epochs.set(epoch, created)
  return created
}
