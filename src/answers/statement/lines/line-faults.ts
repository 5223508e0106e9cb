import { fail } from '../../../base/errors.ts'

/** Limit of invalid lines in an error. */
const MOST_FAULTS = 10

/** Fails if there are faults. Errors: `malformed_request` with the first of them and the count of the rest. */
export function refuseLines(faults: readonly string[]): void {
  if (faults.length === 0) return
  const more = faults.length > MOST_FAULTS ? [`${faults.length - MOST_FAULTS} more lines are wrong.`] : []
  fail('malformed_request', [...faults.slice(0, MOST_FAULTS), ...more].join(' '))
}

/** Yields the cells of each line with its number. Skips blank lines and lines with #. */
export function* cellsOfLines(text: string): Generator<readonly [line: number, cells: readonly string[]]> {
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries())
    if (line.trim() !== '' && !line.startsWith('#'))
      yield [index + 1, line.split(',').map((cell) => cell.trim())]
}
