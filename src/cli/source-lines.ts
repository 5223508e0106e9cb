import type { SourceStatus } from '../operate/sync/source-status.ts'
import { alignColumns, sizeText } from './terminal-text.ts'

const HEADS = ['source', 'newest run ended', 'refused', 'missing', 'requests', 'bytes']

/** Formats the sources of a lake as a table, with their problems below. */
export function sourceLines(sources: readonly SourceStatus[]): readonly string[] {
  const cells = sources.map(({ address, doneAt, refused, missing, usage }) => [
    address,
    doneAt === null ? 'never' : instantOf(doneAt),
    ...[refused, missing].map(String),
    ...(usage === null ? ['-', '-'] : [String(usage.lists + usage.reads), sizeText(Number(usage.bytes))]),
  ])
  const problems = sources.flatMap(({ address, problem }) =>
    problem === null ? [] : [`${address}: ${problem}`],
  )
  return [...alignColumns([HEADS, ...cells]), ...problems]
}

/** Returns a source for JSON, with instants as text. */
export function sourceOf({ doneAt, usage, ...source }: SourceStatus): object {
  const used = usage === null ? {} : { lists: usage.lists, reads: usage.reads, bytes: String(usage.bytes) }
  return { ...source, doneAt: doneAt === null ? null : instantOf(doneAt), ...used }
}

function instantOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
