import { costOf, type StorePrices, type StoreUsage } from './prices.ts'

/** Estimated cost of a run. */
export interface SyncEstimate {
  readonly objects: number
  readonly usage: StoreUsage
  /** Cost with listings, in nano-dollars. */
  readonly nanos: bigint
  /** Growth of lake and state folder, in bytes. */
  readonly diskBytes: bigint
  readonly seconds: number
}

/** Tables and indexes, relative to compressed files. Measured with the sample. */
const DISK_PERCENT = 130n
/** Compressed bytes per second with two threads. Measured with the sample. */
const INGEST_BYTES_A_SECOND = 4_000_000n
const FETCH_BYTES_A_SECOND = 20_000_000n

/** A run repeats the listings of the estimate and reads each object once. */
export function estimateCost(
  looked: StoreUsage,
  objects: number,
  bytes: bigint,
  prices: StorePrices,
): SyncEstimate {
  const usage = { lists: looked.lists, reads: looked.reads + objects, bytes }
  return {
    ...{ objects, usage, nanos: costOf(usage, prices), diskBytes: (bytes * DISK_PERCENT) / 100n },
    seconds: Number(bytes / INGEST_BYTES_A_SECOND + bytes / FETCH_BYTES_A_SECOND),
  }
}
