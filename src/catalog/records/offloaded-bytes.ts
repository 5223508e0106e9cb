/** USD 0.50 a gigabyte of 2^30 bytes. */
const BYTES_PER_PRICE_UNIT = 2n ** 31n

/** Computes dc_transfer_reward * 2^31 / price, rounded half up. The engine's SQL has the same formula, to sum rounded values. */
export function offloadedBytes(dcTransferReward: bigint, price: bigint): bigint {
  return (dcTransferReward * BYTES_PER_PRICE_UNIT * 2n + price) / (price * 2n)
}
