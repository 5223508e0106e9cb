import { join } from 'node:path'
import { epochsOf, type SampleEpoch } from '../../src/write/sample/epochs.ts'
import { writeSampleNetwork } from '../../src/write/sample/write-sample-network.ts'

/** A made-up network of a given size; the seed makes it the same on every machine. */
export interface Workload {
  readonly name: string
  readonly days: number
  /** Of both networks; eight of ten are on the IoT network, and three on the mobile one. */
  readonly hotspots: number
  readonly seed: string
  /** First day, YYYY-MM-DD; that of the generator when left out. */
  readonly start?: string
}

/** Its oracle files on disk: gzip files of frames. */
export interface OracleFiles {
  readonly folder: string
  readonly files: number
  /** Messages of all kinds: shares, manifests, witness reports. */
  readonly frames: number
  readonly shares: number
  /** On disk, after gzip. */
  readonly bytes: number
}

const SEED = '1'

export const thirtyDays: Workload = {
  name: '30 days x 30,000 hotspots',
  days: 30,
  hotspots: 30_000,
  seed: SEED,
}

/** On a day 88 % of the hotspots earn: about a million distinct keys. */
export const millionKeys: Workload = {
  name: '1 day x 1,100,000 hotspots',
  days: 1,
  hotspots: 1_100_000,
  seed: SEED,
}

/** Reward shares for comparisons with other systems; the largest is for a night. */
export const networkSizes = {
  small: { name: '7 days x 20,000 hotspots', days: 7, hotspots: 20_000, seed: SEED },
  S: { name: '31 days x 100,000 hotspots', days: 31, hotspots: 100_000, seed: SEED },
  M: { name: '100 days x 100,000 hotspots', days: 100, hotspots: 100_000, seed: SEED },
  L: { name: '365 days x 300,000 hotspots', days: 365, hotspots: 300_000, seed: SEED },
} as const satisfies Readonly<Record<string, Workload>>

/** Enough to see that a bench runs, not enough to learn from. */
export const quickTry: Workload = { name: '3 days x 1,000 hotspots', days: 3, hotspots: 1000, seed: SEED }

export function epochsOfWorkload({ name, ...network }: Workload): readonly SampleEpoch[] {
  return epochsOf(network)
}

/** Where the oracle files of a network are. */
export function folderOf(parent: string, { days, hotspots }: Workload): string {
  return join(parent, `${days}x${hotspots}`)
}

export async function writeOracleFiles(parent: string, workload: Workload): Promise<OracleFiles> {
  const { name, ...network } = workload
  const folder = folderOf(parent, workload)
  let frames = 0
  const onFile = (_path: string, messages: number) => {
    frames += messages
  }
  const { files, rows, bytes } = await writeSampleNetwork({ ...network, out: folder, onFile })
  return { folder, files, frames, shares: rows, bytes }
}
