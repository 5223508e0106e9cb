import { DAY_MICROS, dayOf, endOfEpoch } from '../../base/values/epoch-day.ts'
import type { rewardManifests } from '../../catalog/l2/reward-manifests.ts'
import { networkOfName } from '../../catalog/networks.ts'
import { type RowOf, unreadableReason } from '../../catalog/resource.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'

export type ManifestOfFiles = Pick<
  RowOf<typeof rewardManifests>,
  'written_files' | 'start_timestamp' | 'end_timestamp' | 'reward_type' | 'token'
>

/** Longer epochs are mistakes in the manifest and cover their own day only. */
const LONGEST = 62n * DAY_MICROS

/** One epoch of a table, from its log and from manifests. */
export interface TableEpoch {
  readonly epoch: number
  /** First and last day covered by its periods; they differ only for periods longer than a day. */
  firstDay: number
  lastDay: number
  /** First and last end of its periods; the nominal end if it has none. */
  first: bigint
  last: bigint
  /** True if it has rows, or a file without rows. */
  isPresent: boolean
  /** True if one of its files arrived after a later epoch. */
  isLate: boolean
  /** Files named by a manifest and not ingested. */
  readonly absent: Set<string>
  /** Files named by a manifest that this program cannot read. */
  readonly unreadable: Set<string>
  /** Ingested files that no manifest names. */
  readonly unnamed: Set<string>
  readonly tokens: Set<string>
}

/** Returns the epochs of a table and of the manifests of its network, ascending. Opens no file. */
export function gatherEpochs(
  table: TableSnapshot,
  manifests: readonly ManifestOfFiles[],
): readonly TableEpoch[] {
  const epochs = new Map<number, TableEpoch>()
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
  const network = networkOfName(table.resource.name)
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
      // An empty file proves that nothing was paid, so the epoch is not missing.
      else if (groups.length === 0) epochAt(epochs, end_timestamp, manifest).isPresent = true
    }
  }
  return [...epochs.values()].sort((a, b) => a.epoch - b.epoch)
}

/** Finds or creates the epoch of a period. Without a manifest the period counts as one day. */
function epochAt(epochs: Map<number, TableEpoch>, end: bigint, manifest?: ManifestOfFiles): TableEpoch {
  const start =
    manifest !== undefined && manifest.start_timestamp < end ? manifest.start_timestamp : end - DAY_MICROS
  const epoch = dayOf((start + end) / 2n)
  const isLong = end - start > DAY_MICROS && end - start <= LONGEST
  // An epoch covers a day if it covers half of it.
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
