import { dayBefore, hotspot, iotShare, manifest, mobileShare, type OracleFiles } from '../lakes/make-lake.ts'

/**
 * A network that grows by one file a commit, so that what is answered at a version is known beforehand: file k pays
 * powers of two that no other file pays. A sum over files that were never together in the lake shows at once.
 */

export type Table = 'iot' | 'mobile'

/** Versions of the tables that an answer follows from; of each table version v holds files 0 to v. */
export interface Versions {
  readonly iot: number
  readonly mobile: number
  readonly manifests: number
}

/** By the letters that stand for these tables in the id of a snapshot. */
export function versionsOf(snapshot: string): Versions {
  const versionOf = (letters: string) => Number(new RegExp(`${letters}(\\d+)`).exec(snapshot)?.[1] ?? -1)
  return { iot: versionOf('ooc'), mobile: versionOf('idp'), manifests: versionOf('dma') }
}

/** Beyond the whole numbers of a double from file 43 on. */
const iotAmount = (file: number) => 2n ** BigInt(file + 10)
const mobileAmount = (file: number) => 2n ** BigInt(file + 9)
/** Offloaded bytes are reward * 2^31 / price. */
const PRICE = 2n ** 32n
const bytesOf = (file: number) => mobileAmount(file) / 2n

const nameOf = (prefix: string, file: number) => `${prefix}.${1_738_371_600_000 + file}.gz`
/** Later files pay earlier days too: so rows come in between those that are there. */
const dayOf = (file: number) => ((file * 7) % 20) + 1
const periodOf = (file: number) => dayBefore(`2025-01-${String(dayOf(file)).padStart(2, '0')}`)

export function networkFiles(first: number, last: number): OracleFiles {
  const files: Record<string, readonly Uint8Array[]> = {}
  for (let file = first; file <= last; file += 1) {
    const key = hotspot(file % 7).raw
    files[nameOf('iot_reward_share', file)] = [
      iotShare({ ...periodOf(file), reward_type: 'operational_reward', amount: iotAmount(file) }),
      iotShare({
        ...periodOf(file),
        ...{ reward_type: 'gateway_reward', hotspot_key: key, beacon_amount: iotAmount(file) },
      }),
    ]
    files[nameOf('mobile_reward_share', file)] = [
      mobileShare({
        ...periodOf(file),
        ...{ reward_type: 'gateway_reward', hotspot_key: key, dc_transfer_reward: mobileAmount(file) },
      }),
    ]
    files[nameOf('reward_manifest', file)] = [
      manifest({
        written_files: [nameOf('mobile_reward_share', file)],
        ...{ token: 'mobile_reward_token_main', price: PRICE },
      }),
    ]
  }
  return files
}

/** A share as any door may show it. Bytes are null while its manifest is not in. */
export interface SeenShare {
  readonly type: string
  readonly amount: bigint
  readonly bytes: bigint | null
  readonly hasManifest: boolean
}

const filesUpTo = (version: number) => Array.from({ length: version + 1 }, (_, file) => file)
const sumOver = (files: readonly number[], amount: (file: number) => bigint) =>
  files.reduce((sum, file) => sum + amount(file), 0n)

/** Every total of a table other than 0. */
export function totalsAt(table: Table, { iot, mobile, manifests }: Versions): Record<string, bigint> {
  if (table === 'iot') {
    const sum = sumOver(filesUpTo(iot), iotAmount)
    return { total_beacon_amount: sum, total_amount: sum }
  }
  return {
    total_dc_transfer_reward: sumOver(filesUpTo(mobile), mobileAmount),
    total_offloaded_bytes: sumOver(filesUpTo(Math.min(mobile, manifests)), bytesOf),
  }
}

/** All shares of a table in the order of its list: by day, type and file. */
export function sharesAt(table: Table, versions: Versions): readonly SeenShare[] {
  const types = table === 'iot' ? ['gateway_reward', 'operational_reward'] : ['gateway_reward']
  const placed = filesUpTo(versions[table]).flatMap((file) => types.map((type) => ({ file, type })))
  placed.sort(
    (a, b) =>
      dayOf(a.file) - dayOf(b.file) || types.indexOf(a.type) - types.indexOf(b.type) || a.file - b.file,
  )
  return placed.map(({ file, type }) => {
    const hasManifest = table === 'mobile' && file <= versions.manifests
    const amount = table === 'iot' ? iotAmount(file) : mobileAmount(file)
    return { type, amount, bytes: hasManifest ? bytesOf(file) : null, hasManifest }
  })
}
