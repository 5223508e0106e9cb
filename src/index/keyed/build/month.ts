/** The month that an epoch is the pay of, `YYYY-MM`: a daily one ends when the next day begins. */
export function monthOf(period: bigint): string {
  return new Date(Number((period - 1n) / 1000n)).toISOString().slice(0, 7)
}
