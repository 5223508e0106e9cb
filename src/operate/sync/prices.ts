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
