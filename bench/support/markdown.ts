/** A Markdown table, padded so that it can be read as text as well; the first column is words, the others numbers. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** 1234567 as 1,234,567. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Two or three digits that count, as many as a noisy machine is good for. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (value >= 100) return whole(value)
  if (value >= 10) return value.toFixed(1)
  return value >= 0.1 ? value.toFixed(2) : String(Number(value.toPrecision(2)))
}

/** A number that may be missing. */
export function digitsOr(value: number | null | undefined, missing = '-'): string {
  return value === null || value === undefined ? missing : digits(value)
}
