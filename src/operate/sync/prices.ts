/** Prices of a store, in nano-dollars (10^-9 USD). */
export interface StorePrices {
  /** Price of a thousand listings. */
  readonly perThousandLists: bigint
  /** Price of a thousand reads. */
  readonly perThousandReads: bigint
  /** Price of 2^30 bytes sent. */
  readonly perGb: bigint
}

/** Requests to a store and bytes sent. */
export interface StoreUsage {
  readonly lists: number
  readonly reads: number
  readonly bytes: bigint
}

export const nothingUsed: StoreUsage = { lists: 0, reads: 0, bytes: 0n }

export function addUsage(a: StoreUsage, b: StoreUsage): StoreUsage {
  return { lists: a.lists + b.lists, reads: a.reads + b.reads, bytes: a.bytes + b.bytes }
}

const PLACES = 9
const GB_SHIFT = 30n

/** Returns the cost in nano-dollars, rounded up. */
export function costOf({ lists, reads, bytes }: StoreUsage, prices: StorePrices): bigint {
  const requests = BigInt(lists) * prices.perThousandLists + BigInt(reads) * prices.perThousandReads
  return ceil(requests, 1000n) + ceil(bytes * prices.perGb, 1n << GB_SHIFT)
}

/** Parses dollars with at most nine decimals; undefined for other text. */
export function readDollars(text: string): bigint | undefined {
  const [whole, dollars = '', fraction = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(dollars + fraction.padEnd(PLACES, '0'))
}

/** Formats nano-dollars as dollars, rounded up to a hundredth of a cent. */
export function writeDollars(nanos: bigint): string {
  const digits = String(ceil(nanos, 100_000n)).padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

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
