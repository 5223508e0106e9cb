import { costOf, type StorePrices, type StoreUsage } from './prices.ts'

/** What fetching costs, said before anything is fetched. */
export interface SyncEstimate {
  readonly objects: number
  readonly usage: StoreUsage
  /** Of the run that would follow, its listings too, in nano-dollars. */
  readonly nanos: bigint
  /** Bytes that the lake and the state folder grow by, as the sample network does. */
  readonly diskBytes: bigint
  readonly seconds: number
}

/** Tables and what is derived take about as much as the compressed files. Measured with the sample. */
const DISK_PERCENT = 130n
/** Compressed bytes a second that are ingested with two threads. Measured with the sample. */
const INGEST_BYTES_A_SECOND = 4_000_000n
const FETCH_BYTES_A_SECOND = 20_000_000n

/** A run lists and looks up what the look before it has, and reads each object once. */
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
