/** Converts an amount to a double, only for the height of a bar. Displayed amounts stay text. */
export function toPixels(amount: string | null | undefined): number | null {
  return amount === null || amount === undefined ? null : Number(amount)
}
