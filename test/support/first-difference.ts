const SHOWN = 80

/** The texts around their first difference. */
export function firstDifference(text: string, expected: string): string {
  const first = [...text].findIndex((char, place) => char !== expected[place])
  const start = Math.max(0, (first < 0 ? Math.min(text.length, expected.length) : first) - SHOWN)
  return `${text.slice(start, start + 3 * SHOWN)} instead of ${expected.slice(start, start + 3 * SHOWN)}`
}
