/** The one place where amounts become doubles: a chart has some hundred pixels. What is written stays text. */
export function toPixels(amount: string | null | undefined): number | null {
  return amount === null || amount === undefined ? null : Number(amount)
}
